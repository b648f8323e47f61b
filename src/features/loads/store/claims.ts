// The claims of a load's chunks: see drafts/claims.ts.
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { objectSlices, slices } from '../../../platform/db/json-slices.ts'
import { loadClaims } from '../../../platform/db/schema/loads.ts'
import {
  bare,
  columns,
  from,
  insertInto,
  named,
  prepared,
  type RowOf,
  type Statement,
} from '../../../platform/db/sql.ts'
import type { Claim, Space } from '../drafts/claims.ts'

/** What a stored claim holds; SQL names the places by number. */
type Stored = [
  role: Claim['role'],
  line: number,
  shared: unknown,
  ownLine: number | null,
  ownShared: unknown,
  hash: string,
]

function storedOf({ role, line, shared, ownLine, ownShared, hash }: Claim): Stored {
  return [role, line, shared, ownLine, ownShared, hash()]
}

const c = named(loadClaims, 'c')

type ClaimRow = RowOf<typeof loadClaims>
type SpaceValues = { loadId: string; space: string }

const insertClaims = (onConflict: SQL) =>
  prepared<SpaceValues & { claims: string }>(
    ({ loadId, space, claims }) => sql`${insertInto(loadClaims, ['loadId', 'space', 'key', 'claim'])}
      SELECT ${loadId}, ${space}, key, value FROM json_each(${claims}) WHERE true
      ON CONFLICT (${bare(c.loadId)}, ${bare(c.space)}, ${bare(c.key)}) ${onConflict}`,
  )

const insertNew = insertClaims(sql`DO NOTHING`)

const sent = sql`excluded.${bare(loadClaims.claim)}`
/** As `Claims.claim` does where both stand in one chunk. */
const ownOf = sql`iif(${sent} ->> 1 = ${sent} ->> 3 AND json_type(${sent}, '$[4].said') IS NOT NULL,
    json_set(${sent} -> 4, '$.said', ${sent} -> 2), ${sent} -> 4)`
const addOwn = insertClaims(sql`DO UPDATE SET ${bare(loadClaims.claim)} = json_set(${loadClaims.claim},
    '$[3]', ${sent} ->> 3, '$[4]', json(${ownOf}), '$[5]', ${sent} ->> 5)
  WHERE ${loadClaims.claim} ->> 3 IS NULL AND ${sent} ->> 3 IS NOT NULL`)

const isIn = ({ loadId, space }: { loadId: unknown; space: unknown }) =>
  sql`${c.loadId} = ${loadId} AND ${c.space} = ${space}`

const readOthers = prepared<SpaceValues & { claims: string }, ClaimRow>(
  given => sql`SELECT ${columns(c)} FROM json_each(${given.claims}) w CROSS JOIN ${from(c)} ON ${isIn(given)} AND ${c.key} = w.key
    WHERE ${c.claim} ->> 1 <> w.value ->> 1 OR coalesce(${c.claim} ->> 3, 0) <> coalesce(w.value ->> 3, 0)`,
)

function slicesOf(loadId: string, claims: readonly Claim[]) {
  const spaces = [...new Set(claims.map(({ space }) => space))]
  return spaces.flatMap(space => {
    const some = claims.filter(claim => claim.space === space)
    const texts = objectSlices(some.map(claim => [claim.key, storedOf(claim)] as const))
    return texts.map(text => ({ loadId, space, claims: text }))
  })
}

/** For claims that nobody else makes: they go with a commit. */
export function keepClaims(loadId: string, claims: readonly Claim[]): Statement[] {
  return slicesOf(loadId, claims).map(insertNew)
}

interface Made<One, Other> {
  /** Claims that others have made before. */
  held: Claim[]
  /** The rows that the questions of each list have found. */
  found: [One[], Other[]]
}

/** Stores the claims that are first. Questions that are due at the same time go along: each round trip counts. */
export async function makeClaims<One = never, Other = never>(
  db: Database,
  loadId: string,
  claims: readonly Claim[],
  [some, others]: readonly [readonly Statement<One>[], readonly Statement<Other>[]] = [[], []],
): Promise<Made<One, Other>> {
  const slicesOfAll = slicesOf(loadId, claims)
  const results = await db.batch([...some, ...others, ...slicesOfAll.map(insertNew)])
  const asked = some.length + others.length
  const rowsOf = <Row>(from: number, to: number) =>
    results.slice(from, to).flatMap(({ results: rows }) => rows as Row[])
  const found: [One[], Other[]] = [rowsOf<One>(0, some.length), rowsOf<Other>(some.length, asked)]
  const written = results.slice(asked).reduce((sum, { meta }) => sum + meta.changes, 0)
  // Where every claim was new, there is no other to look for.
  return { found, held: written === claims.length ? [] : await heldClaims(db, slicesOfAll) }
}

async function heldClaims(db: Database, slicesOfAll: ReturnType<typeof slicesOf>): Promise<Claim[]> {
  const others = slicesOfAll.map(readOthers)
  const results = await db.batch([...slicesOfAll.map(addOwn), ...others])
  return results.slice(-others.length).flatMap(({ results: rows }) => (rows as ClaimRow[]).map(claimOf))
}

const readByKeys = prepared<SpaceValues & { keys: string }, ClaimRow>(
  given =>
    sql`SELECT ${columns(c)} FROM json_each(${given.keys}) k CROSS JOIN ${from(c)} ON ${isIn(given)} AND ${c.key} = k.value`,
)

export async function readClaims(
  db: Database,
  loadId: string,
  space: Space,
  keys: readonly string[],
): Promise<Claim[]> {
  const results = await db.batch(slices(keys).map(text => readByKeys({ loadId, space, keys: text })))
  return results.flatMap(({ results }) => results.map(claimOf))
}

const readAfter = prepared<SpaceValues & { after: string; role: string; limit: number }, ClaimRow>(
  given => sql`SELECT ${columns(c)} FROM ${from(c)} WHERE ${isIn(given)} AND ${c.key} > ${given.after}
    AND ${c.claim} ->> 0 = ${given.role} ORDER BY ${c.key} LIMIT ${given.limit}`,
)

export async function claimsAfter(
  db: Database,
  loadId: string,
  space: Space,
  role: Claim['role'],
  after: string,
  limit: number,
): Promise<Claim[]> {
  return (await db.all(readAfter({ loadId, space, role, after, limit }))).map(claimOf)
}

const countAfter = prepared<
  SpaceValues & { after: string; role: string; limit: number },
  { n: number; last: string | null }
>(
  given => sql`SELECT sum(role = ${given.role}) AS n, max(key) AS last FROM (SELECT ${columns(c, ['key'])}, ${c.claim} ->> 0 AS role
    FROM ${from(c)} WHERE ${isIn(given)} AND ${c.key} > ${given.after} ORDER BY ${c.key} LIMIT ${given.limit})`,
)

/** So many are looked at while others wait. */
const COUNTED_AT_ONCE = 10_000

export async function countClaims(
  { db, alive }: { db: Database; alive(): Promise<void> },
  loadId: string,
  space: Space,
  role: Claim['role'],
): Promise<number> {
  let [count, after] = [0, '']
  for (;;) {
    const [page] = await db.all(countAfter({ loadId, space, role, after, limit: COUNTED_AT_ONCE }))
    if (!page || page.last === null) return count
    count += page.n
    after = page.last
    await alive()
  }
}

function claimOf({ space, key, claim }: ClaimRow): Claim {
  const [role, line, shared, ownLine, ownShared, hash] = JSON.parse(claim) as Stored
  return { space: space as Space, key, role, line, shared, ownLine, ownShared, hash: () => hash }
}
