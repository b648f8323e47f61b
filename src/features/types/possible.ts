// An update that names no type path is held against every type of its kind, and the stored path decides. What is sent is looked at
// once for each definition of it, not for each path; what a commit could not carry is refused before it is made (N60). Pure.
import { inMessage } from '../../platform/db/commit/message.ts'
import type { TypeGuard } from '../../platform/db/commit/type-checks.ts'
import { fieldsOf, type Write } from '../../platform/db/commit/write.ts'
import { type FieldError, invalid, pointer } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { FAULTS_MAX, VERDICTS_MAX_BYTES } from '../../platform/limits.ts'
import { faultsIn, idsIn, refers } from './fit.ts'
import { pathsTo, type TypeTable } from './table.ts'

/** Of a property that is sent: what each type that defines it makes of it, by type path. */
type ByDefiner<T> = ReadonlyMap<string, T>

/** What a verdict or a reference takes beside its texts. */
const ROW_BYTES = 24

export function holdAgainstAll(
  guard: TypeGuard,
  types: TypeTable,
  write: Write,
  index: number,
  isBatch: boolean,
): void {
  const root = write.kind.name
  const fields = fieldsOf(write)
  const definers = types.definersBelow(root)
  const faulty: ByDefiner<FieldError | undefined>[] = []
  const referring: { slug: string; count: number; bytes: number; by: ByDefiner<boolean> }[] = []
  for (const [slug, value] of Object.entries(fields)) {
    const by = [...(definers.get(slug) ?? [])]
    const faultBy = faultsIn(value)
    if (by.some(([, definition]) => faultBy(definition))) {
      faulty.push(new Map(by.map(([path, definition]) => [path, faultBy(definition)])))
    }
    const named = by.filter(([, definition]) => refers(definition, value))
    if (named.length === 0) continue
    // What all have from the root is the same under each: no stored path need be looked up.
    if (named.length === by.length && named.some(([path]) => path === root)) {
      for (const named of idsIn(slug, value)) guard.references.push([index, named.pointer, null, named.id])
      continue
    }
    const isNamed = new Map(by.map(([path, definition]) => [path, refers(definition, value)]))
    const count = Array.isArray(value) ? value.length : 1
    const bytes = jsonBytes(value) + count * (ROW_BYTES + inMessage(pointer([slug])).length)
    referring.push({ slug, count, bytes, by: isNamed })
  }
  if (faulty.length === 0 && referring.length === 0) return
  const paths = types.below(root).map(typePath => {
    const above = pathsTo(typePath).reverse()
    return { typePath, above, named: referring.filter(({ by }) => nearest(by, above)) }
  })
  if (faulty.length) {
    addBytes(guard, sum(paths.map(({ typePath }) => typePath.length + ROW_BYTES)), isBatch)
    for (const { typePath, above } of paths) {
      const errors = faulty.flatMap(by => nearest(by, above) ?? []).slice(0, FAULTS_MAX)
      guard.verdicts.push({ index, typePath, errors })
    }
  }
  if (referring.length === 0) return
  const rows = paths.map(({ typePath, named }) =>
    Math.max(typePath.length + ROW_BYTES, sum(named.map(({ bytes, count }) => bytes + count * typePath.length))),
  )
  addBytes(guard, sum(rows), isBatch)
  for (const { typePath, named } of paths) {
    if (named.length === 0) guard.typedReferences.push([index, typePath, null, null])
    for (const { slug } of named) {
      for (const { pointer, id } of idsIn(slug, fields[slug]))
        guard.typedReferences.push([index, typePath, pointer, id])
    }
  }
}

function nearest<T>(by: ByDefiner<T>, above: readonly string[]): T | undefined {
  const path = above.find(path => by.has(path))
  return path === undefined ? undefined : by.get(path)
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

function addBytes(guard: TypeGuard, more: number, isBatch: boolean): void {
  guard.bytes += more
  if (guard.bytes <= VERDICTS_MAX_BYTES) return
  const advice = isBatch ? 'Send these updates in smaller batches, or' : 'Too many types define what is sent:'
  throw invalid([{ path: '', message: `${advice} send the typePath of the entity along.` }])
}
