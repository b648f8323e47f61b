// Verbs of types: look them up without a round trip of their own, and validate writes against them (N21).
//
// The isolate remembers each organization's types with their stamp; a commit names the stamp it was validated against
// and is refused when the types have changed since; then they are read again. An organization that was never seen is
// taken to have no types, which costs nothing where that is true.
import type { Context } from '../../platform/context.ts'
import { StaleTypes } from '../../platform/db/commit/refusal.ts'
import { type TypeGuard, unchangedTypes } from '../../platform/db/commit/type-checks.ts'
import { fieldsOf, type Properties, type Write } from '../../platform/db/commit/write.ts'
import type { Entity } from '../../platform/db/row.ts'
import { Fault, type FieldError, notFound } from '../../platform/errors.ts'
import { findKind } from '../../platform/kind.ts'
import { FAULTS_MAX, TYPES_CACHE_MAX_BYTES } from '../../platform/limits.ts'
import { indexProgress } from '../indexes/store.ts'
import type { PropertyDefinition } from './contract.ts'
import { faultsOf, referencesOf } from './fit.ts'
import { holdAgainstAll } from './possible.ts'
import { findType, readTypes, readTypesStamp } from './store.ts'
import { rootOf, TypeTable } from './table.ts'
import { TypeCache } from './type-cache.ts'

const TRIES = 5
const NONE = new TypeTable(0, [])
const remembered = new TypeCache(TYPES_CACHE_MAX_BYTES)

type Scope = Pick<Context, 'db' | 'org'>

export async function freshTypes({ db, org }: Scope): Promise<TypeTable> {
  const types = await readTypes(db, org.id)
  remembered.set(org.id, types)
  return types
}

/** Which change of a type was the last one, without reading any type. */
export const typesStamp = ({ db, org }: Scope): Promise<number> => readTypesStamp(db, org.id)

/** Runs a write with the types it is validated against, again where they turn out to be old. */
export async function withTypes<T>(scope: Scope, write: (types: TypeTable) => Promise<T>): Promise<T> {
  let types = remembered.get(scope.org.id) ?? NONE
  for (let tries = 1; ; tries++) {
    try {
      return await write(types)
    } catch (error) {
      // A refusal by remembered types may be out of date; one by types just read is not.
      const mayBeOld = error instanceof StaleTypes || (error instanceof Unfit && tries === 1)
      if (!mayBeOld || tries === TRIES) throw error
      types = await freshTypes(scope)
    }
  }
}

/** Writes that do not fit their types. */
class Unfit extends Fault {}

/** What is stored of an entity that moves to another type path. */
export interface Stored {
  version: number
  data: Properties
}

export type StoredById = ReadonlyMap<string, Stored>

/**
 * Throws what is wrong for certain; what depends on a stored type path goes with the commit. An update that moves its entity
 * to another type path answers for what is stored as well (N67), and is refused with `Moved` as long as that is not known.
 */
export function guardOf(types: TypeTable, writes: readonly Write[], isBatch: boolean, stored: StoredById): TypeGuard {
  const faults: FieldError[] = []
  const guard = unchangedTypes(types.stamp)
  for (const [index, write] of writes.entries()) {
    // A type's path names the entities it describes; its definitions are not about itself.
    if (write.op === 'delete' || !write.kind.ownRoot) continue
    const { typePath } = fieldsOf(write)
    if (typeof typePath !== 'string') {
      holdAgainstAll(guard, types, write, index, writes.length > 1)
      continue
    }
    const definitions = types.definitionsOf(typePath)
    const before = stored.get(write.id)
    const isWhole = write.op === 'create' || before !== undefined
    if (!isWhole && definitions.size) guard.unmoved.push([index, typePath])
    const fields = { ...before?.data, ...fieldsOf(write) }
    const place = isBatch ? `/${index}` : ''
    for (const { path, message } of faultsOf(definitions, fields, isWhole)) {
      faults.push({ path: place + path, message })
    }
    // So many are told; what else is wrong shows when these are right.
    if (faults.length >= FAULTS_MAX) break
    for (const { pointer, id } of referencesOf(definitions, fields)) guard.references.push([index, pointer, null, id])
  }
  if (faults.length)
    throw new Unfit('invalid_input', 'The entity does not fit its type.', { errors: faults.slice(0, FAULTS_MAX) })
  return guard
}

/** A type as it is shown: its properties with those it inherits. */
export function resolvedType(
  types: TypeTable,
  typePath: string,
): { rootTypePath: string; properties: PropertyDefinition[] } {
  return { rootTypePath: rootOf(typePath), properties: [...types.definitionsOf(typePath).values()] }
}

/**
 * By type path or id. A path without a description is a type if it is the root of an entity type, or below a
 * described path: its entities have the inherited properties (N67).
 */
export async function typeAt(scope: Scope, address: string): Promise<Partial<Entity> & { typePath: string }> {
  const [type, types] = [await findType(scope.db, scope.org.id, address), await freshTypes(scope)]
  const typePath = type ? String(type.typePath) : address
  if (!type && !isRoot(address) && !types.describes(address)) throw notFound()
  const resolved = resolvedType(types, typePath)
  return { ...(type ?? { name: null }), typePath, ...resolved, ...(await indexesOf(scope, resolved)) }
}

/** How far the indexes of its properties are (N49). */
async function indexesOf({ db, org }: Scope, { rootTypePath, properties }: ReturnType<typeof resolvedType>) {
  const indexed = new Set(properties.flatMap(({ indexed, slug }) => (indexed ? [slug] : [])))
  if (indexed.size === 0) return {}
  const progress = await indexProgress(db, org.id, rootTypePath)
  return { indexes: progress.filter(({ property }) => indexed.has(property)) }
}

/** The type path, given as such or by the id of its type, with all types. */
export async function pathAt(scope: Scope, address: string): Promise<{ typePath: string; types: TypeTable }> {
  const types = await freshTypes(scope)
  if (isRoot(address) || types.describes(address)) return { typePath: address, types }
  const type = await findType(scope.db, scope.org.id, address)
  if (!type) throw notFound()
  return { typePath: String(type.typePath), types }
}

const isRoot = (typePath: string) => findKind(typePath)?.ownRoot ?? false
