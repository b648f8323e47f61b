// The check before the writes: one statement that finds every refused write of a slice and, if there is one, fails on
// purpose, which rolls the whole batch back. refusal.ts reads the message. The text depends only on which checks there are
// to make, so that it is built once for each such set.
import { type SQL, sql } from 'drizzle-orm'
import type { Kind } from '../../kind.ts'
import { FAULTS_MAX } from '../../limits.ts'
import { slices } from '../json-slices.ts'
import { BATCH_UPDATED_MAX_BYTES } from '../limits.ts'
import { ENTITY_INDEX, entities } from '../schema/entities.ts'
import { all, from, type Given, indexedBy, named, preparedBy, type Statement, unionOf } from '../sql.ts'
import { type ClockValues, moveClock, type Ticked, tick } from './clock.ts'
import { type CommitWide, flatChecks } from './commit-wide.ts'
import { inMessage } from './message.ts'
import type { Slice } from './slice.ts'
import { isStale, STALE_TYPES, type TypeGuard, type TypeValues, typeChecksOf } from './type-checks.ts'
import { fieldsOf, type Placed, referencesIn, type Write } from './write.ts'

/** Begins the message of a refused batch. */
export const REFUSED = 'refused '

type Values = TypeValues & {
  writes: string
  references: string
  flat: string
  deleted: string
  answered: string
}

interface Check {
  /** Checks of the same name have the same text. */
  name: string
  find(given: Given<Values>): SQL
}

/** The checks that a slice needs, with what they need to know, as far as it fits into bound values. */
export interface SliceCheck {
  checks: readonly Check[]
  values: Values
}

export function checkOf(
  orgId: string,
  slice: Slice,
  wide: CommitWide,
  types: TypeGuard | undefined,
  isLookedUp: boolean,
): SliceCheck[] {
  const { writes } = slice
  const [first, last] = [writes[0]?.index ?? 0, writes.at(-1)?.index ?? -1]
  const isHere = (index: number) => index >= first && index <= last
  const typed = typeChecksOf(types, isHere)
  const references = [...referencesIn(writes), ...typed.references].filter(reference => !wide.isCreated(reference))
  const flat = flatChecks(slice, wide)
  // In this order: of very many refusals only the first are told, and what weighs more must be among them.
  const checks = [
    ...typed.isStale,
    ...(slice.updates.length || slice.deletes.length ? [MISSING] : []),
    ...([...slice.updates, ...slice.deletes].some(write => write.versions) ? [STALE] : []),
    ...typed.moved,
    ...typed.unfit,
    ...(references.length ? [UNKNOWN_REFERENCE] : []),
    ...(flat.length ? kindsOf(writes).flatMap(tooDeep) : []),
    ...(isLookedUp ? [] : duplicateChecks(writes)),
    ...kindsOf(slice.deletes).flatMap(usedBy),
    ...(first === 0 && wide.answered.length ? [TOO_LARGE] : []),
  ]
  if (checks.length === 0) return []
  // Creates stand here for their keys alone.
  const sent = isLookedUp ? writes.filter(write => write.op !== 'create') : writes
  // A reference takes more room here than in its entity.
  const [some = '[]', ...more] = slices(references.map(([at, path, ...target]) => [at, inMessage(path), ...target]))
  const values = {
    writes: JSON.stringify(sent.map(payload)),
    orgId,
    references: some,
    flat: JSON.stringify(flat),
    deleted: wide.deleted,
    answered: JSON.stringify(first === 0 ? wide.answered : []),
    ...typed.values,
  }
  const rest = more.map(text => ({
    checks: [UNKNOWN_REFERENCE],
    values: { ...values, writes: '[]', references: text },
  }))
  return [{ checks, values }, ...rest]
}

const namesOf = (checks: readonly Check[]) => checks.map(check => check.name).join()

const alone = preparedBy<readonly Check[], Values>(namesOf, wholeCheck)
const ticking = preparedBy<readonly Check[], Values & ClockValues, Ticked>(namesOf, (checks, given) =>
  moveClock(given, wholeCheck(checks, given)),
)

export function checkStatement({ checks, values }: SliceCheck): Statement {
  return alone(checks, values)
}

/** Moves the clock, with the first check of the commit on the way. */
export function tickStatement(clock: ClockValues, check: SliceCheck | undefined): Statement<Ticked> {
  return check ? ticking(check.checks, { ...check.values, ...clock }) : tick(clock)
}

function wholeCheck(checks: readonly Check[], given: Given<Values>): SQL {
  // All that there is to check for most creates. SQLite compiles each statement anew, which costs more than running it.
  if (checks.length === 1 && checks[0] === STALE_TYPES) {
    return sql`SELECT json_extract('{}', ${sql.raw(`'${REFUSED}0:types:'`)}) WHERE ${isStale(given)}`
  }
  const found = unionOf([NOTHING, ...checks.map(check => check.find(given))])
  return sql`WITH ${sentWrites(given)}
    SELECT json_extract('{}', ${sql.raw(`'${REFUSED}'`)} || group_concat(n || ':' || code || ':' || field, ' '))
    FROM (SELECT * FROM (${found}) LIMIT ${sql.raw(String(FAULTS_MAX))})`
}

const sentWrites = ({ writes }: Given<Values>) => sql`w AS MATERIALIZED (
  SELECT value ->> '$.n' AS n, value ->> '$.op' AS op, value ->> '$.id' AS id, value ->> '$.kind' AS kind,
    value -> '$.versions' AS versions, value ->> '$.scope' AS scope, value ->> '$.keepsFederatedId' AS keepsFederatedId,
    value -> '$.keys' AS keys FROM json_each(${writes}))`

function duplicateChecks(writes: Placed[]): Check[] {
  return [
    ...(writes.some(touchesFederatedId) ? [DUPLICATE_FEDERATED_ID] : []),
    ...(writes.some(write => 'identifier' in fieldsOf(write)) ? [DUPLICATE_IDENTIFIER] : []),
    ...kindsOf(writes.filter(touchesUnique)).map(duplicatePair),
  ]
}

/** What the check must know of a write: never its whole data. */
function payload(write: Placed) {
  const fields = fieldsOf(write)
  const keys: Record<string, unknown> = {}
  for (const field of ['federatedId', 'identifier', ...(write.kind.uniqueBy ?? [])]) {
    if (fields[field] != null) keys[field] = fields[field]
  }
  const scope = write.kind.federatedScope === 'kind' ? write.kind.name : fields.typePath
  const versions = write.op === 'create' ? undefined : write.versions
  const keepsFederatedId = !('federatedId' in fields)
  return { n: write.index, op: write.op, id: write.id, kind: write.kind.name, versions, scope, keepsFederatedId, keys }
}

/** A custom entity that moves to another type path takes its federatedId along. */
function touchesFederatedId(write: Write): boolean {
  const fields = fieldsOf(write)
  return 'federatedId' in fields || (write.kind.federatedScope === 'typePath' && 'typePath' in fields)
}

function touchesUnique(write: Write): boolean {
  return write.kind.uniqueBy?.some(field => fieldsOf(write)[field] != null) ?? false
}

function kindsOf(writes: Write[]): Kind[] {
  return [...new Set(writes.map(write => write.kind))]
}

const e = named(entities, 'e')
const x = named(entities, 'x')

const NOTHING = sql`SELECT NULL AS n, NULL AS code, NULL AS field WHERE 0`

const isStored = (orgId: Given<Values>['orgId']) => sql`${e.id} = w.id AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind`

const MISSING: Check = {
  name: 'missing',
  find: ({ orgId }) => sql`SELECT n, 'missing', '' FROM w WHERE op <> 'create'
    AND NOT EXISTS (SELECT 1 FROM ${from(e)} WHERE ${isStored(orgId)})`,
}

const STALE: Check = {
  name: 'stale',
  find: ({ orgId }) => sql`SELECT n, 'stale', '' FROM w JOIN ${from(e)} ON ${isStored(orgId)}
    WHERE w.versions IS NOT NULL AND ${e.version} NOT IN (SELECT value FROM json_each(w.versions))`,
}

/** One for the whole commit: all that it updates comes back in one answer (N60). */
const TOO_LARGE: Check = {
  name: 'large',
  find: ({ orgId, answered }) => sql`SELECT 0, 'large', '' WHERE (SELECT sum(octet_length(${e.data}))
    FROM json_each(${answered}) a CROSS JOIN ${from(e)} ON ${e.id} = a.value AND ${e.orgId} = ${orgId})
    > ${sql.raw(String(BATCH_UPDATED_MAX_BYTES))}`,
}

const UNKNOWN_REFERENCE: Check = {
  name: 'reference',
  find: ({ orgId, references }) => sql`SELECT r.value ->> 0, 'reference', r.value ->> 1 FROM json_each(${references}) r
    WHERE NOT EXISTS (SELECT 1 FROM ${from(e)} WHERE ${e.id} = r.value ->> 3 AND ${e.orgId} = ${orgId}
      AND ${e.kind} = coalesce(r.value ->> 2, ${e.kind}))`,
}

/** What is named has such a reference itself, or is given one here; or who names it is named by others. */
function tooDeep({ name, references }: Kind): Check[] {
  return references.flatMap(reference => {
    const { field, isFlat, list } = reference
    if (!isFlat || list) return []
    return {
      name: `deep ${name} ${field}`,
      find: ({ orgId, flat }) => sql`SELECT r.value ->> 0, 'deep', r.value ->> 1 FROM json_each(${flat}) r
        WHERE r.value ->> 1 = ${text(field)} AND (r.value ->> 4 = 1
          OR EXISTS (SELECT 1 FROM ${from(e)} WHERE ${e.id} = r.value ->> 2 AND ${e.orgId} = ${orgId} AND ${e[field]} IS NOT NULL)
          OR EXISTS (SELECT 1 FROM ${from(x)} WHERE ${x.orgId} = ${orgId} AND ${x.kind} = ${text(name)} AND ${x[field]} = r.value ->> 3))`,
    }
  })
}

const storedBeside = (orgId: Given<Values>['orgId']) =>
  sql`w LEFT JOIN ${from(e)} ON ${e.id} = w.id AND ${e.orgId} = ${orgId}`

const DUPLICATE_FEDERATED_ID: Check = {
  name: 'federatedId',
  find: ({ orgId }) => sql`SELECT w.n, 'duplicate', 'federatedId' FROM ${storedBeside(orgId)}
    CROSS JOIN ${from(x)} ${indexedBy(ENTITY_INDEX.federated)} ON ${x.orgId} = ${orgId}
      AND ${x.federatedScope} = coalesce(w.scope, ${e.federatedScope})
      AND ${x.federatedId} = coalesce(w.keys ->> '$.federatedId', CASE WHEN w.keepsFederatedId THEN ${e.federatedId} END)
    WHERE ${x.id} <> w.id`,
}

const DUPLICATE_IDENTIFIER: Check = {
  name: 'identifier',
  find: ({ orgId }) => sql`SELECT w.n, 'duplicate', 'identifier' FROM w
    CROSS JOIN ${from(x)} ${indexedBy(ENTITY_INDEX.identifier)}
      ON ${x.orgId} = ${orgId} AND ${x.kind} = w.kind AND ${x.identifier} = w.keys ->> '$.identifier'
    WHERE ${x.id} <> w.id`,
}

/** The names of entity types and of their fields are ours, never a caller's. */
const text = (word: string) => sql.raw(`'${word}'`)

function duplicatePair({ name, uniqueBy = [] }: Kind): Check {
  const same = uniqueBy.map(field => sql`${x[field]} = coalesce(w.keys ->> ${text(`$.${field}`)}, ${e[field]})`)
  return {
    name: `pair ${name}`,
    find: ({ orgId }) => sql`SELECT w.n, 'duplicate', ${text(uniqueBy.join('+'))} FROM ${storedBeside(orgId)}
      CROSS JOIN ${from(x)} ON ${x.orgId} = ${orgId} AND ${x.kind} = ${text(name)} AND ${all(same)}
      WHERE w.kind = ${text(name)} AND ${x.id} <> w.id`,
  }
}

function usedBy({ name, referrers }: Kind): Check[] {
  return referrers.map(({ kind: referrer, field, list }) => ({
    name: `used ${name} ${referrer} ${field}`,
    find: ({ orgId, deleted }) => {
      const isUsed = sql`w.op = 'delete' AND w.kind = ${text(name)}`
      const isUser = sql`${x.orgId} = ${orgId} AND ${x.kind} = ${text(referrer)}
        AND ${x.id} NOT IN (SELECT value FROM json_each(${deleted}))`
      // A list has no index: all lists are gone through, once for all that is deleted.
      return list
        ? sql`SELECT DISTINCT w.n, 'in_use', ${text(referrer)} FROM ${from(x)}
            CROSS JOIN json_each(${x.data}, ${text(`$.${field}`)}) m CROSS JOIN w ON w.id = m.value WHERE ${isUser} AND ${isUsed}`
        : sql`SELECT w.n, 'in_use', ${text(referrer)} FROM w
            WHERE ${isUsed} AND EXISTS (SELECT 1 FROM ${from(x)} WHERE ${isUser} AND ${x[field]} = w.id)`
    },
  }))
}
