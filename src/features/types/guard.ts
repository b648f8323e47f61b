// What may not be written of types, and only the store can tell (N67): too many of them, properties named like those that
// their entity type declares, and deleting one that is used, or giving it another path.
import { fieldsOf } from '../../platform/db/commit/write.ts'
import { type Fault, invalid } from '../../platform/errors.ts'
import { allKinds, type Kind, relationNames } from '../../platform/kind.ts'
import { INDEXED_PROPERTIES_MAX } from '../../platform/limits.ts'
import { indexesAsMarked, TOO_MANY_INDEXED } from './marks-store.ts'
import { DECLARED, declaredSlugs, typesInUse, typesWithinQuotas } from './store.ts'

/** Names that mean something else than a property of the caller's, by the root of the type path. */
export function declaredNames(kinds: readonly Kind[]): Record<string, string[]> {
  return Object.fromEntries(
    kinds
      .filter(kind => kind.ownRoot)
      .map(kind => [kind.name, [...Object.keys(kind.fields), ...Object.keys(kind.readOnly), ...relationNames(kind)]]),
  )
}

export const typeGuard: NonNullable<Kind['guard']> = (orgId, writes) => {
  const removed = writes.flatMap((write, at): [number, string, string | null][] => {
    const { typePath } = fieldsOf(write)
    if (write.op === 'update') return typeof typePath === 'string' ? [[at, write.id, typePath]] : []
    return write.op === 'delete' ? [[at, write.id, null]] : []
  })
  const written = writes.flatMap(({ op, id }, at): [number, string][] => (op === 'delete' ? [] : [[at, id]]))
  return {
    before: removed.length ? [typesInUse(orgId, removed)] : [],
    after: [
      ...(written.length
        ? [...typesWithinQuotas(orgId), declaredSlugs(orgId, written, declaredNames(allKinds()))]
        : []),
      ...indexesAsMarked(orgId),
    ],
    refusal: refusalIn,
  }
}

const TOO_MANY = `At most ${INDEXED_PROPERTIES_MAX} properties of an entity type can be indexed.`

function refusalIn(message: string, place: (index: number) => string): Fault | undefined {
  if (message.includes(TOO_MANY_INDEXED)) return invalid([{ path: place(0), message: TOO_MANY }])
  const found = new RegExp(`${DECLARED}([\\d: ]+)`).exec(message)?.[1]
  if (found === undefined) return undefined
  return invalid(
    found.split(' ').map(text => {
      const [index = '0', property = '0'] = text.split(':')
      const path = `${place(Number(index))}/properties/${property}/slug`
      return { path, message: 'The entity type has a property of this name already.' }
    }),
  )
}
