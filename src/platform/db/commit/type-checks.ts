// The part of the check that is about types: what writes were validated against may have changed since, and what an update that
// names no type path is held against depends on the path that is stored.
import { type SQL, sql } from 'drizzle-orm'
import type { FieldError } from '../../errors.ts'
import { changes, clocks, entities } from '../schema/entities.ts'
import { from, type Given, named } from '../sql.ts'
import { inMessage } from './message.ts'
import type { ReferenceCheck } from './write.ts'

/** How a write fares under one of the types that its entity may have. */
export interface Verdict {
  index: number
  typePath: string
  errors: FieldError[]
}

/** What a write refers to under one of the types that its entity may have; one that names nothing stands there all the same. */
export type TypedReference = [index: number, typePath: string, pointer: string | null, id: string | null]

export interface TypeGuard {
  /** The organization's last change of a type, as validation saw it. */
  stamp: number
  /** For updates whose outcome depends on the stored type path: all defined paths it may fall under. */
  verdicts: Verdict[]
  /** What properties refer to that a type defines as references. */
  references: ReferenceCheck[]
  /** The same where the stored type path decides: all defined paths. */
  typedReferences: TypedReference[]
  /** About what these, and the verdicts, take as bound values. */
  bytes: number
  /** Updates that name a type path, and were not held against what is stored: that path must be the stored one (N67). */
  unmoved: [index: number, typePath: string][]
}

/** Nothing depends on the types but that they have not changed. */
export function unchangedTypes(stamp: number): TypeGuard {
  return { stamp, verdicts: [], references: [], typedReferences: [], bytes: 0, unmoved: [] }
}

export type TypeValues = {
  orgId: string
  stamp: number
  verdicts: string
  typedReferences: string
  unmoved: string
}

interface TypeCheck {
  name: string
  find(given: Given<TypeValues>): SQL
}

type Part = 'verdicts' | 'typedReferences' | 'unmoved'

/** What there is to check of the writes that `isHere` names, and the values that go with it. */
export function typeChecksOf(types: TypeGuard | undefined, isHere: (index: number) => boolean) {
  const here = <T extends readonly unknown[]>(rows: readonly T[]) => rows.filter(([index]) => isHere(Number(index)))
  const rows: Record<Part, unknown[]> = {
    verdicts: (types?.verdicts ?? []).flatMap(({ index, typePath, errors }, at) =>
      isHere(index) ? [[index, typePath, errors.length ? 1 : 0, at]] : [],
    ),
    typedReferences: here(types?.typedReferences ?? []).map(([index, typePath, pointer, id]) => [
      index,
      typePath,
      pointer === null ? null : inMessage(pointer),
      id,
    ]),
    unmoved: here(types?.unmoved ?? []),
  }
  const { verdicts, typedReferences, unmoved } = rows
  return {
    references: here(types?.references ?? []),
    isStale: types ? [STALE_TYPES] : [],
    moved: unmoved.length ? [MOVED] : [],
    unfit: [...(verdicts.length ? [UNFIT] : []), ...(typedReferences.length ? [UNKNOWN_TYPED_REFERENCE] : [])],
    values: {
      stamp: types?.stamp ?? 0,
      verdicts: JSON.stringify(verdicts),
      typedReferences: JSON.stringify(typedReferences),
      unmoved: JSON.stringify(unmoved),
    },
  }
}

const e = named(entities, 'e')
const x = named(entities, 'x')

/** Which change of a type was the last one, wherever its record is now (N58). */
export const stampOfTypes = (orgId: Given<TypeValues>['orgId']) => sql`coalesce(
  (SELECT max(${changes.seq}) FROM ${changes} WHERE ${changes.orgId} = ${orgId} AND ${changes.entityType} = 'type'),
  (SELECT ${clocks.typesSeq} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}), 0)`

export const isStale = ({ orgId, stamp }: Given<TypeValues>) => sql`${stamp} <> ${stampOfTypes(orgId)}`

export const STALE_TYPES: TypeCheck = {
  name: 'stale types',
  find: given => sql`SELECT 0, 'types', '' WHERE ${isStale(given)}`,
}

/** The rows whose type path is the stored one or above it, the nearest first. */
const fittingRows = (orgId: Given<TypeValues>['orgId'], rows: Given<TypeValues>[Part], selected: SQL, rank: SQL) =>
  sql`SELECT w.n AS n, ${selected}, ${rank} OVER (PARTITION BY w.n ORDER BY length(v.value ->> 1) DESC) AS rank
    FROM w JOIN ${from(e)} ON ${e.id} = w.id AND ${e.orgId} = ${orgId} JOIN json_each(${rows}) v ON v.value ->> 0 = w.n
    WHERE ${e.typePath} = v.value ->> 1 OR substr(${e.typePath}, 1, length(v.value ->> 1) + 1) = (v.value ->> 1) || ':'`

// The longest defined type path above the stored one decides.
const UNFIT: TypeCheck = {
  name: 'unfit',
  find: ({ orgId, verdicts }) => {
    const selected = sql`v.value ->> 2 AS faulty, v.value ->> 3 AS at`
    return sql`SELECT n, 'unfit', at FROM (${fittingRows(orgId, verdicts, selected, sql`row_number()`)})
      WHERE rank = 1 AND faulty`
  },
}

const UNKNOWN_TYPED_REFERENCE: TypeCheck = {
  name: 'typed reference',
  find: ({ orgId, typedReferences }) => {
    const selected = sql`v.value ->> 2 AS pointer, v.value ->> 3 AS target`
    return sql`SELECT n, 'reference', pointer FROM (${fittingRows(orgId, typedReferences, selected, sql`rank()`)})
      WHERE rank = 1 AND target IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${from(x)} WHERE ${x.id} = target AND ${x.orgId} = ${orgId})`
  },
}

const MOVED: TypeCheck = {
  name: 'moved',
  find: ({ orgId, unmoved }) => sql`SELECT w.n, 'moved', '' FROM json_each(${unmoved}) u JOIN w ON w.n = u.value ->> 0
    JOIN ${from(e)} ON ${e.id} = w.id AND ${e.orgId} = ${orgId} AND ${e.kind} = w.kind WHERE ${e.typePath} <> u.value ->> 1`,
}
