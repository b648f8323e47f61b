// Two people have changed a type: whatever I have changed stays as I have it, all else is as they have it. Pure.
import type { TypeProperty } from '../../typescript/index.ts'

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const bySlug = (properties: readonly TypeProperty[]) => new Map(properties.map(each => [each.slug, each]))

export interface Merged {
  properties: TypeProperty[]
  /** What both have changed, in different ways. */
  both: string[]
}

export function mergedProperties(
  before: readonly TypeProperty[],
  mine: readonly TypeProperty[],
  theirs: readonly TypeProperty[],
): Merged {
  const [old, own, other] = [bySlug(before), bySlug(mine), bySlug(theirs)]
  const isMine = (slug: string) => !isSame(own.get(slug), old.get(slug))
  const kept = mine.flatMap(property => {
    const { slug } = property
    if (isMine(slug)) return [property]
    return other.get(slug) ?? []
  })
  const added = theirs.filter(({ slug }) => !own.has(slug) && !old.has(slug))
  const both = [...new Set([...own.keys(), ...old.keys()])].filter(
    slug => isMine(slug) && !isSame(other.get(slug), old.get(slug)) && !isSame(other.get(slug), own.get(slug)),
  )
  return { properties: [...kept, ...added], both }
}
