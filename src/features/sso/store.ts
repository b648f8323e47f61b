// Identity providers, and the one-time tickets of sign-ins under way. Answers rows, decides nothing.
import { and, eq, gt, isNull, notLike } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { directory } from '../../platform/db/client.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { identityProviders, signOns, tickets } from '../../platform/db/schema/people.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { OrgRow } from '../organizations/store.ts'

export type ProviderRow = typeof identityProviders.$inferSelect
export type TicketRow = typeof tickets.$inferSelect
type SsoTicket = 'sso-state' | 'sso-code'

export async function saveProvider(env: Env, row: ProviderRow, event: AuditRow): Promise<void> {
  const db = directory(env)
  await db.batch([
    db.insert(identityProviders).values(row).onConflictDoUpdate({ target: identityProviders.orgId, set: row }),
    auditIfChanged(db, event),
  ])
}

export async function findProvider(env: Env, orgId: string): Promise<ProviderRow | undefined> {
  const [found] = await directory(env).select().from(identityProviders).where(eq(identityProviders.orgId, orgId))
  return found
}

export async function removeProvider(env: Env, orgId: string, event: AuditRow): Promise<boolean> {
  const db = directory(env)
  const [removed] = await db.batch([
    db
      .delete(identityProviders)
      .where(eq(identityProviders.orgId, orgId))
      .returning({ orgId: identityProviders.orgId }),
    auditIfChanged(db, event),
    db.delete(tickets).where(and(eq(tickets.orgId, orgId), eq(tickets.kind, 'sso-state'))),
  ])
  return removed.length === 1
}

/** Of an organization that is not suspended. */
export async function findSso(
  env: Env,
  by: { slug: string } | { id: string },
): Promise<{ org: OrgRow; provider: ProviderRow } | undefined> {
  const isIt = 'slug' in by ? eq(orgs.slug, by.slug) : eq(orgs.id, by.id)
  const [found] = await directory(env)
    .select({ org: orgs, provider: identityProviders })
    .from(orgs)
    .innerJoin(identityProviders, eq(identityProviders.orgId, orgs.id))
    .where(and(isIt, isNull(orgs.deletedOn), isNull(orgs.suspendedOn)))
  return found
}

export function providersSealedBefore(env: Env, sealedNow: string, limit: number): Promise<ProviderRow[]> {
  return directory(env)
    .select()
    .from(identityProviders)
    .where(notLike(identityProviders.clientSecret, `${sealedNow}%`))
    .limit(limit)
}

/** Unless somebody has set another one meanwhile. */
export async function replaceSecret(env: Env, { orgId, clientSecret }: ProviderRow, sealed: string): Promise<void> {
  await directory(env)
    .update(identityProviders)
    .set({ clientSecret: sealed })
    .where(and(eq(identityProviders.orgId, orgId), eq(identityProviders.clientSecret, clientSecret)))
}

type SignOnRow = typeof signOns.$inferSelect

/** The user whom the provider knows by this name. */
export async function findSignOn(
  env: Env,
  { orgId, issuer, subject }: Pick<SignOnRow, 'orgId' | 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const [found] = await directory(env)
    .select({ userId: signOns.userId })
    .from(signOns)
    .where(and(eq(signOns.orgId, orgId), eq(signOns.issuer, issuer), eq(signOns.subject, subject)))
  return found?.userId
}

/** False where the provider knows the user by another name already. */
export async function linkSignOn(env: Env, row: SignOnRow): Promise<boolean> {
  const db = directory(env)
  const isThis = and(eq(signOns.orgId, row.orgId), eq(signOns.issuer, row.issuer), eq(signOns.userId, row.userId))
  const [, [linked]] = await db.batch([
    db.insert(signOns).values(row).onConflictDoNothing(),
    db.select({ subject: signOns.subject }).from(signOns).where(isThis),
  ])
  return linked?.subject === row.subject
}

export async function insertTicket(env: Env, row: TicketRow & { kind: SsoTicket }): Promise<void> {
  await directory(env).insert(tickets).values(row)
}

/** Whoever takes a ticket has it alone: it is gone with the taking. */
export async function takeTicket(
  env: Env,
  kind: SsoTicket,
  digest: string,
  now: number,
): Promise<TicketRow | undefined> {
  const [taken] = await directory(env)
    .delete(tickets)
    .where(and(eq(tickets.digest, digest), eq(tickets.kind, kind), gt(tickets.expiresOn, now)))
    .returning()
  return taken
}
