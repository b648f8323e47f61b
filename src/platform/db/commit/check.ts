// The check before the writes: one statement that finds every refused write of a slice and, if there is one, fails on
// purpose, which rolls the whole batch back. refusal.ts reads the message.
import type { FieldError } from '../../errors.ts'
import type { Kind } from '../../kind.ts'
import { FAULTS_MAX } from '../../limits.ts'
import type { Statement } from '../client.ts'
import { unionOf } from '../sql.ts'
import type { Slice } from './slice.ts'
import { fieldsOf, type Placed, type ReferenceCheck, referencesIn, type Write } from './write.ts'

/** Begins the message of a refused batch. */
export const REFUSED = 'refused '

/** How a write fares under one of the types that its entity may have. */
export interface Verdict {
  index: number
  typePath: string
  errors: FieldError[]
}

export interface TypeGuard {
  /** The organization's last change of a type, as validation saw it. */
  stamp: number
  /** For updates whose outcome depends on the stored type path: all defined paths it may fall under. */
  verdicts: Verdict[]
  /** What properties refer to that a type defines as references. */
  references: ReferenceCheck[]
}

const WRITES = `w AS MATERIALIZED (
  SELECT value ->> '$.n' AS n, value ->> '$.op' AS op, value ->> '$.id' AS id, value ->> '$.kind' AS kind,
    value -> '$.versions' AS versions, value ->> '$.scope' AS scope, value ->> '$.keepsFederatedId' AS keepsFederatedId,
    value -> '$.keys' AS keys FROM json_each(?1))`

export function checkStatement(
  orgId: string,
  slice: Slice,
  types?: TypeGuard,
  isLookedUp = false,
): Statement | undefined {
  const { writes } = slice
  const [first, last] = [writes[0]?.index ?? 0, writes.at(-1)?.index ?? -1]
  const isHere = (index: number) => index >= first && index <= last
  const references = [...writes.flatMap(referencesIn), ...(types?.references ?? []).filter(([index]) => isHere(index))]
  const verdicts = (types?.verdicts ?? []).flatMap(({ index, typePath, errors }, at) =>
    isHere(index) ? [[index, typePath, errors.length ? 1 : 0, at]] : [],
  )
  const checks = [
    ...(types ? [STALE_TYPES] : []),
    ...(verdicts.length ? [UNFIT] : []),
    ...(slice.updates.length || slice.deletes.length ? [MISSING] : []),
    ...([...slice.updates, ...slice.deletes].some(write => write.versions) ? [STALE] : []),
    ...(references.length ? [UNKNOWN_REFERENCE] : []),
    ...(isLookedUp ? [] : duplicateChecks(writes)),
    ...kindsOf(slice.deletes).flatMap(usedBy),
  ]
  if (checks.length === 0) return undefined
  if (types && checks.length === 1) return typesStatement(orgId, types.stamp)
  // Creates stand here for their keys, and for those that refer to them.
  const named = isLookedUp && references.length === 0 ? writes.filter(write => write.op !== 'create') : writes
  return {
    sql: `WITH ${WRITES}
      SELECT json_extract('{}', '${REFUSED}' || group_concat(n || ':' || code || ':' || field, ' '))
      FROM (SELECT * FROM (${unionOf([NOTHING, ...checks])}) LIMIT ${FAULTS_MAX})
      WHERE ?2 IS NOT NULL AND ?3 IS NOT NULL AND ?4 IS NOT NULL AND ?5 IS NOT NULL`,
    params: [
      JSON.stringify(named.map(payload)),
      orgId,
      JSON.stringify(references),
      types?.stamp ?? 0,
      JSON.stringify(verdicts),
    ],
  }
}

function duplicateChecks(writes: Placed[]): string[] {
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
  for (const field of ['federatedId', 'identifier', ...(write.kind.uniqueBy?.fields ?? [])]) {
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
  return write.kind.uniqueBy?.fields.some(field => fieldsOf(write)[field] != null) ?? false
}

function kindsOf(writes: Write[]): Kind[] {
  return [...new Set(writes.map(write => write.kind))]
}

const NOTHING = 'SELECT NULL AS n, NULL AS code, NULL AS field WHERE 0'

const TYPES_STAMP = `(SELECT coalesce(max(seq), 0) FROM changes WHERE org_id = ?2 AND entity_type = 'type')`
const STALE_TYPES = `SELECT 0, 'types', '' WHERE ?4 <> ${TYPES_STAMP}`

/** All that there is to check for most creates. SQLite compiles each statement anew, which costs more than running it. */
function typesStatement(orgId: string, stamp: number): Statement {
  return { sql: `SELECT json_extract('{}', '${REFUSED}0:types:') WHERE ?1 <> ${TYPES_STAMP}`, params: [stamp, orgId] }
}

// The longest defined type path above the stored one decides.
const UNFIT = `SELECT n, 'unfit', at FROM (
  SELECT w.n, v.value ->> 2 AS faulty, v.value ->> 3 AS at,
    row_number() OVER (PARTITION BY w.n ORDER BY length(v.value ->> 1) DESC) AS rank
  FROM w JOIN entities e ON e.id = w.id AND e.org_id = ?2 JOIN json_each(?5) v ON v.value ->> 0 = w.n
  WHERE e.type_path = v.value ->> 1 OR substr(e.type_path, 1, length(v.value ->> 1) + 1) = (v.value ->> 1) || ':')
  WHERE rank = 1 AND faulty`

const MISSING = `SELECT n, 'missing', '' FROM w WHERE op <> 'create'
  AND NOT EXISTS (SELECT 1 FROM entities e WHERE e.id = w.id AND e.org_id = ?2 AND e.kind = w.kind)`

const STALE = `SELECT n, 'stale', '' FROM w JOIN entities e ON e.id = w.id AND e.org_id = ?2 AND e.kind = w.kind
  WHERE w.versions IS NOT NULL AND e.version NOT IN (SELECT value FROM json_each(w.versions))`

// A reference may also name an entity that the same batch creates.
const UNKNOWN_REFERENCE = `SELECT r.value ->> 0, 'reference', r.value ->> 1 FROM json_each(?3) r
  WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.id = r.value ->> 3 AND e.org_id = ?2 AND e.kind = coalesce(r.value ->> 2, e.kind))
    AND NOT EXISTS (SELECT 1 FROM w WHERE w.op = 'create' AND w.id = r.value ->> 3 AND w.kind = r.value ->> 2)`

const DUPLICATE_FEDERATED_ID = `SELECT w.n, 'duplicate', 'federatedId' FROM w LEFT JOIN entities e ON e.id = w.id AND e.org_id = ?2
  CROSS JOIN entities x INDEXED BY entities_federated ON x.org_id = ?2
    AND x.federated_scope = coalesce(w.scope, e.federated_scope)
    AND x.federated_id = coalesce(w.keys ->> '$.federatedId', CASE WHEN w.keepsFederatedId THEN e.federated_id END)
  WHERE x.id <> w.id`

const DUPLICATE_IDENTIFIER = `SELECT w.n, 'duplicate', 'identifier' FROM w
  CROSS JOIN entities x INDEXED BY entities_identifier ON x.org_id = ?2 AND x.kind = w.kind AND x.identifier = w.keys ->> '$.identifier'
  WHERE x.id <> w.id`

function duplicatePair(kind: Kind): string {
  const { fields, columns } = kind.uniqueBy ?? { fields: [], columns: [] }
  const same = columns.map((column, at) => `x.${column} = coalesce(w.keys ->> '$.${fields[at]}', e.${column})`)
  return `SELECT w.n, 'duplicate', '${fields.join('+')}' FROM w LEFT JOIN entities e ON e.id = w.id AND e.org_id = ?2
    CROSS JOIN entities x ON x.org_id = ?2 AND x.kind = '${kind.name}' AND ${same.join(' AND ')}
    WHERE w.kind = '${kind.name}' AND x.id <> w.id`
}

/** Entities deleted by the same batch do not hold each other. */
function usedBy(kind: Kind): string[] {
  return kind.referrers.map(({ kind: referrer, field, column, list }) => {
    const holds = list
      ? `EXISTS (SELECT 1 FROM json_each(x.data, '$.${field}') m WHERE m.value = w.id)`
      : `x.${column} = w.id`
    return `SELECT w.n, 'in_use', '${referrer}' FROM w WHERE w.op = 'delete' AND w.kind = '${kind.name}' AND EXISTS (
      SELECT 1 FROM entities x WHERE x.org_id = ?2 AND x.kind = '${referrer}' AND ${holds}
        AND x.id NOT IN (SELECT id FROM w WHERE op = 'delete'))`
  })
}
