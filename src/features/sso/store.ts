// Identity providers, and the one-time tickets of sign-ins under way. Answers rows, decides nothing.
import { and, eq, gt, isNull, notLike } from 'drizzle-orm'
import { directory } from '../../platform/db/client.ts'
import { orgs } from '../../platform/db/schema/organizations.ts'
import { identityProviders, signOns, tickets } from '../../platform/db/schema/people.ts'
import { build, type RowOf, selection, statement } from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'
import type { OrgRow } from '../organizations/store.ts'

export type ProviderRow = typeof identityProviders.$inferSelect
export type TicketRow = RowOf<typeof tickets>
type SsoTicket = 'sso-state' | 'sso-code'

const providerOf = (row: RowOf<typeof identityProviders>): ProviderRow => ({
  ...row,
  allowSignUp: row.allowSignUp === 1,
})

export async function saveProvider(env: Env, row: ProviderRow, event: AuditRow): Promise<void> {
  const save = build
    .insert(identityProviders)
    .values(row)
    .onConflictDoUpdate({ target: identityProviders.orgId, set: row })
  await directory(env).batch([statement(save), auditIfChanged(event)])
}

export async function findProvider(env: Env, orgId: string): Promise<ProviderRow | undefined> {
  const select = build.select(selection(identityProviders)).from(identityProviders)
  const found = await directory(env).first(statement(select.where(eq(identityProviders.orgId, orgId))))
  return found && providerOf(found)
}

export async function removeProvider(env: Env, orgId: string, event: AuditRow): Promise<boolean> {
  const [removed] = await directory(env).batch([
    statement(build.delete(identityProviders).where(eq(identityProviders.orgId, orgId))),
    auditIfChanged(event),
    statement(build.delete(tickets).where(and(eq(tickets.orgId, orgId), eq(tickets.kind, 'sso-state')))),
  ])
  return removed.meta.changes === 1
}

/** Of an organization that is not suspended. */
export async function findSso(
  env: Env,
  by: { slug: string } | { id: string },
): Promise<{ org: OrgRow; provider: ProviderRow } | undefined> {
  const isNamed = 'slug' in by ? eq(orgs.slug, by.slug) : eq(orgs.id, by.id)
  const isIt = and(isNamed, isNull(orgs.deletedOn), isNull(orgs.suspendedOn))
  const ofIt = build
    .select(selection(identityProviders))
    .from(orgs)
    .innerJoin(identityProviders, eq(identityProviders.orgId, orgs.id))
    .where(isIt)
  const found = await directory(env).batch([
    statement(build.select(selection(orgs)).from(orgs).where(isIt)),
    statement(ofIt),
  ])
  const [[org], [provider]] = [found[0].results, found[1].results]
  return org && provider && { org, provider: providerOf(provider) }
}

/** Those behind the one given. */
export async function providersSealedBefore(
  env: Env,
  sealedNow: string,
  after: ProviderRow | undefined,
  limit: number,
): Promise<ProviderRow[]> {
  const isBehind = gt(identityProviders.orgId, after?.orgId ?? '')
  const select = build
    .select(selection(identityProviders))
    .from(identityProviders)
    .where(and(notLike(identityProviders.clientSecret, `${sealedNow}%`), isBehind))
    .orderBy(identityProviders.orgId)
    .limit(limit)
  return (await directory(env).all(statement(select))).map(providerOf)
}

/** Unless another one was set meanwhile. */
export async function replaceSecret(env: Env, { orgId, clientSecret }: ProviderRow, sealed: string): Promise<void> {
  const replace = build
    .update(identityProviders)
    .set({ clientSecret: sealed })
    .where(and(eq(identityProviders.orgId, orgId), eq(identityProviders.clientSecret, clientSecret)))
  await directory(env).run(statement(replace))
}

type SignOnRow = RowOf<typeof signOns>

/** The user whom the provider knows by this name. */
export async function findSignOn(
  env: Env,
  { orgId, issuer, subject }: Pick<SignOnRow, 'orgId' | 'issuer' | 'subject'>,
): Promise<string | undefined> {
  const select = build
    .select(selection(signOns, ['userId']))
    .from(signOns)
    .where(and(eq(signOns.orgId, orgId), eq(signOns.issuer, issuer), eq(signOns.subject, subject)))
  return (await directory(env).first(statement(select)))?.userId
}

/** False where the provider knows the user by another name already. */
export async function linkSignOn(env: Env, row: SignOnRow): Promise<boolean> {
  const isThis = and(eq(signOns.orgId, row.orgId), eq(signOns.issuer, row.issuer), eq(signOns.userId, row.userId))
  const [, linked] = await directory(env).batch([
    statement(build.insert(signOns).values(row).onConflictDoNothing()),
    statement(
      build
        .select(selection(signOns, ['subject']))
        .from(signOns)
        .where(isThis),
    ),
  ])
  return linked.results[0]?.subject === row.subject
}

export async function insertTicket(env: Env, row: TicketRow & { kind: SsoTicket }): Promise<void> {
  await directory(env).run(statement(build.insert(tickets).values(row)))
}

/** A ticket is taken once: taking it deletes it. */
export async function takeTicket(
  env: Env,
  kind: SsoTicket,
  { digest, orgId, now }: { digest: string; orgId?: string; now: number },
): Promise<TicketRow | undefined> {
  const isIt = and(eq(tickets.digest, digest), eq(tickets.kind, kind), gt(tickets.expiresOn, now))
  const take = build
    .delete(tickets)
    .where(orgId === undefined ? isIt : and(isIt, eq(tickets.orgId, orgId)))
    .returning(selection(tickets))
  return directory(env).first(statement(take))
}
