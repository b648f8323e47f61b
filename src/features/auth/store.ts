// Credentials in the directory. Answers rows, decides nothing.
import { and, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { CredentialKind, Principal } from '../../platform/context.ts'
import { behind } from '../../platform/db/behind.ts'
import { directory, nearDirectory } from '../../platform/db/client.ts'
import { credentials, memberships, orgs } from '../../platform/db/schema/organizations.ts'
import {
  build,
  columns,
  from,
  named,
  prepared,
  type RowOf,
  type Statement,
  selection,
  statement,
  valuesOf,
} from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import type { AuditRow } from '../audit/entry.ts'
import { auditIfChanged } from '../audit/store.ts'

export type CredentialRow = RowOf<typeof credentials>

/** All that must be known of a caller. */
export interface KnownCredential
  extends Pick<
    CredentialRow,
    'id' | 'kind' | 'userId' | 'scope' | 'tier' | 'lastUsedOn' | 'expiresOn' | 'revokedOn' | 'entityTypes' | 'addresses'
  > {
  orgId: string
  slug: string
  orgTier: NonNullable<CredentialRow['tier']>
  suspendedOn: number | null
  /** Where the organization's data is (N56). */
  database: string
  epoch: number
  moving: 0 | 1
  role: 'admin' | 'member' | null
}

const CREDENTIAL_COLUMNS = [
  'id',
  'kind',
  'userId',
  'scope',
  'tier',
  'lastUsedOn',
  'expiresOn',
  'revokedOn',
  'entityTypes',
  'addresses',
] as const

const byDigest = prepared<{ digest: string }, KnownCredential>(
  ({ digest }) => sql`SELECT ${columns(credentials, CREDENTIAL_COLUMNS)}, ${orgs.id} AS "orgId", ${orgs.slug} AS "slug",
    ${orgs.tier} AS "orgTier", ${orgs.suspendedOn} AS "suspendedOn", ${columns(orgs, ['database', 'epoch', 'moving'])}, ${memberships.role} AS "role"
    FROM ${credentials} JOIN ${orgs} ON ${orgs.id} = ${credentials.orgId}
    LEFT JOIN ${memberships} ON ${memberships.orgId} = ${credentials.orgId} AND ${memberships.userId} = ${credentials.userId}
    WHERE ${credentials.digest} = ${digest} AND ${orgs.deletedOn} IS NULL`,
)

/** As the nearest replica knows it, which may be a little behind, or as it is now (N59). */
export function findCredential(
  env: Env,
  digest: string,
  where: 'nearest' | 'primary',
): Promise<KnownCredential | undefined> {
  return (where === 'nearest' ? nearDirectory(env) : directory(env)).first(byDigest({ digest }))
}

export async function noteUse(
  env: Env,
  { id, orgId }: Pick<CredentialRow, 'id' | 'orgId'>,
  hour: number,
): Promise<void> {
  const note = build
    .update(credentials)
    .set({ lastUsedOn: hour })
    .where(
      and(
        eq(credentials.id, id),
        eq(credentials.orgId, orgId),
        or(isNull(credentials.lastUsedOn), lt(credentials.lastUsedOn, hour)),
      ),
    )
  await directory(env).run(statement(note))
}

const caller = named(credentials, 'caller')

const their = named(memberships, 'their')

/**
 * Within the statement itself: no call acts on people and keys after its session or role has ended, however long ago the
 * request began. The end of a session is never in the future; that of a key that is being rotated is.
 */
export function isStillIn({ credentialId, org, role }: Principal): SQL {
  return sql`EXISTS (SELECT 1 FROM ${from(caller)}
    JOIN ${from(their)} ON ${their.orgId} = ${caller.orgId} AND ${their.userId} = ${caller.userId}
    WHERE ${caller.id} = ${credentialId} AND ${caller.orgId} = ${org.id} AND ${their.role} = ${role}
      AND (${caller.revokedOn} IS NULL OR ${caller.kind} <> 'session' AND ${caller.revokedOn} > ${Date.now()}))`
}

export async function findStillIn(env: Env, principal: Principal): Promise<boolean> {
  const asked = sql<{ isIn: 0 | 1 }>`SELECT ${isStillIn(principal)} AS "isIn"`
  return (await directory(env).first(statement(asked)))?.isIn === 1
}

/** `issuer`: the person who issues it. False where they are not in any more: then nothing is written. */
export async function insertCredential(
  env: Env,
  row: CredentialRow,
  event: AuditRow,
  issuer?: Principal,
): Promise<boolean> {
  const values = build
    .select(valuesOf(credentials, row))
    .from(orgs)
    .where(and(eq(orgs.id, row.orgId), issuer && isStillIn(issuer)))
  const [inserted] = await directory(env).batch([
    statement(build.insert(credentials).select(values)),
    auditIfChanged(event),
  ])
  return inserted.meta.changes === 1
}

export interface CredentialsQuery {
  orgId: string
  kinds: CredentialKind[]
  /** Only those of one person. */
  userId?: string
  /** Only those that still work at this time. */
  aliveOn?: number
  after: [createdOn: number, id: string] | undefined
  limit: number
}

/** Newest first. */
export function selectCredentials(env: Env, query: CredentialsQuery): Promise<CredentialRow[]> {
  const { orgId, kinds, userId, aliveOn, after, limit } = query
  const select = build
    .select(selection(credentials))
    .from(credentials)
    .where(
      and(
        eq(credentials.orgId, orgId),
        inArray(credentials.kind, kinds),
        userId === undefined ? undefined : eq(credentials.userId, userId),
        aliveOn === undefined ? undefined : and(isAlive(aliveOn), isUnexpired(aliveOn)),
        behind([{ column: credentials.createdOn, descending: true }, { column: credentials.id }], after),
      ),
    )
    .orderBy(desc(credentials.createdOn), credentials.id)
    .limit(limit)
  return directory(env).all(statement(select))
}

export interface CredentialOwner {
  orgId: string
  kinds: CredentialKind[]
  userId?: string
}

const ownedBy = ({ orgId, kinds, userId }: CredentialOwner) =>
  and(
    eq(credentials.orgId, orgId),
    inArray(credentials.kind, kinds),
    userId === undefined ? undefined : eq(credentials.userId, userId),
  )

const isAlive = (now: number) => or(isNull(credentials.revokedOn), gt(credentials.revokedOn, now))
const isUnexpired = (now: number) => or(isNull(credentials.expiresOn), gt(credentials.expiresOn, now))

export async function findOwned(env: Env, owner: CredentialOwner, id: string): Promise<CredentialRow | undefined> {
  const select = build
    .select(selection(credentials))
    .from(credentials)
    .where(and(eq(credentials.id, id), ownedBy(owner)))
  return directory(env).first(statement(select))
}

export async function countAlive(env: Env, owner: CredentialOwner, now: number): Promise<number> {
  const select = build
    .select({ keys: sql<number>`count(*)`.as('keys') })
    .from(credentials)
    .where(and(ownedBy(owner), isAlive(now), isUnexpired(now)))
  return (await directory(env).first(statement(select)))?.keys ?? 0
}

/** Ends a credential; false where there is none, or its end has come already. */
export async function endCredential(
  env: Env,
  owner: CredentialOwner,
  id: string,
  now: number,
  event: AuditRow,
): Promise<boolean> {
  const end = build
    .update(credentials)
    .set({ revokedOn: now })
    .where(and(eq(credentials.id, id), ownedBy(owner), isAlive(now)))
  const [ended] = await directory(env).batch([statement(end), auditIfChanged(event)])
  return ended.meta.changes === 1
}

/**
 * The new key takes everything of the old but its secret, and the old gets an end. A key that has an end already is
 * left alone: of two simultaneous rotations one wins.
 */
export async function replaceCredential(
  env: Env,
  old: CredentialRow,
  next: Pick<CredentialRow, 'id' | 'start' | 'digest' | 'createdOn' | 'createdById'>,
  end: number,
  event: AuditRow,
  when: SQL,
): Promise<CredentialRow | undefined> {
  const copied = valuesOf(credentials, { ...next, lastUsedOn: null, revokedOn: null, replacedById: null })
  const isReplaced = and(eq(credentials.replacedById, next.id), eq(credentials.orgId, old.orgId))
  const replace = build
    .update(credentials)
    .set({ revokedOn: end, replacedById: next.id })
    .where(and(eq(credentials.id, old.id), eq(credentials.orgId, old.orgId), isNull(credentials.revokedOn), when))
  const insert = build
    .insert(credentials)
    .select(build.select(copied).from(credentials).where(isReplaced))
    .returning(selection(credentials))
  const [, inserted] = await directory(env).batch([statement(replace), statement(insert), auditIfChanged(event)])
  return inserted.results[0]
}

/** Ends a person's credentials of some kinds, in one organization or in all; stands in a batch. */
export function endOfPerson(
  { userId, kinds, orgId, except }: { userId: string; kinds: CredentialKind[]; orgId?: string; except?: string },
  now: number,
  when?: SQL,
): Statement {
  const isMeant = and(
    eq(credentials.userId, userId),
    inArray(credentials.kind, kinds),
    isAlive(now),
    orgId === undefined ? undefined : eq(credentials.orgId, orgId),
    except === undefined ? undefined : ne(credentials.id, except),
    when,
  )
  return statement(build.update(credentials).set({ revokedOn: now }).where(isMeant))
}
