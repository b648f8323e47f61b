// Credentials in the directory. Answers rows, decides nothing.
import { and, desc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import type { CredentialKind, Org } from '../../platform/context.ts'
import { directory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs } from '../../platform/db/schema/organizations.ts'

export type CredentialRow = typeof credentials.$inferSelect

export interface KnownCredential {
  credential: CredentialRow
  org: typeof orgs.$inferSelect
  role: 'admin' | 'member' | null
}

export async function findCredential(env: Env, digest: string): Promise<KnownCredential | undefined> {
  const [found] = await directory(env)
    .select({ credential: credentials, org: orgs, role: memberships.role })
    .from(credentials)
    .innerJoin(orgs, eq(orgs.id, credentials.orgId))
    .leftJoin(memberships, and(eq(memberships.orgId, credentials.orgId), eq(memberships.userId, credentials.userId)))
    .where(and(eq(credentials.digest, digest), isNull(orgs.deletedOn)))
  return found
}

export async function findActiveOrg(env: Env, id: string): Promise<Org | undefined> {
  const [found] = await directory(env)
    .select({ id: orgs.id, slug: orgs.slug })
    .from(orgs)
    .where(and(eq(orgs.id, id), isNull(orgs.suspendedOn), isNull(orgs.deletedOn)))
  return found
}

export async function noteUse(env: Env, id: string, hour: number): Promise<void> {
  await directory(env)
    .update(credentials)
    .set({ lastUsedOn: hour })
    .where(and(eq(credentials.id, id), or(isNull(credentials.lastUsedOn), lt(credentials.lastUsedOn, hour))))
}

export async function insertCredential(env: Env, row: typeof credentials.$inferInsert): Promise<void> {
  await directory(env).insert(credentials).values(row)
}

export interface CredentialsQuery {
  orgId: string
  kinds: CredentialKind[]
  /** Only those of one person. */
  userId?: string
  after: { createdOn: number; id: string } | undefined
  limit: number
}

/** Newest first. */
export function selectCredentials(env: Env, query: CredentialsQuery): Promise<CredentialRow[]> {
  const { orgId, kinds, userId, after, limit } = query
  return directory(env)
    .select()
    .from(credentials)
    .where(
      and(
        eq(credentials.orgId, orgId),
        inArray(credentials.kind, kinds),
        userId === undefined ? undefined : eq(credentials.userId, userId),
        after &&
          or(
            lt(credentials.createdOn, after.createdOn),
            and(eq(credentials.createdOn, after.createdOn), gt(credentials.id, after.id)),
          ),
      ),
    )
    .orderBy(desc(credentials.createdOn), credentials.id)
    .limit(limit)
}

export interface CredentialOwner {
  orgId: string
  kinds: CredentialKind[]
  userId?: string
}

/** Sets the end of a credential; an end that has come already is not moved. */
export async function endCredential(
  env: Env,
  owner: CredentialOwner,
  id: string,
  now: number,
  end: number,
): Promise<CredentialRow | undefined> {
  const [ended] = await directory(env)
    .update(credentials)
    .set({ revokedOn: end })
    .where(
      and(
        eq(credentials.id, id),
        eq(credentials.orgId, owner.orgId),
        inArray(credentials.kind, owner.kinds),
        owner.userId === undefined ? undefined : eq(credentials.userId, owner.userId),
        or(isNull(credentials.revokedOn), gt(credentials.revokedOn, now)),
      ),
    )
    .returning()
  return ended
}
