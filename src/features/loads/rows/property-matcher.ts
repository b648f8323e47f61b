// Which property a column means (N30, steps 4 and 6): by slug exactly, by label in any case, and for a property that
// options may override also by `<slug>Family` and `<slug>Option` where no property has that whole name (N32).
import type { LoadTarget } from '../targets.ts'
import type { Property } from './property.ts'

/** Whose value an override column holds; every other column belongs to the entity of its row. */
export type Part = 'row' | 'family' | 'option'

export interface Match {
  target: LoadTarget
  property: Property
  part: Part
}

export interface Definitions {
  target: LoadTarget
  properties: readonly Property[]
}

interface Names {
  target: LoadTarget
  bySlug: Map<string, Match>
  byLabel: Map<string, Match>
}

export class Matcher {
  readonly #names: Names[]

  constructor(definitions: readonly Definitions[]) {
    this.#names = definitions.map(namesOf)
  }

  /** At most one property of each entity type. */
  match(column: string): Match[] {
    const lower = column.toLowerCase()
    const bySlug = this.#names.flatMap(({ bySlug }) => bySlug.get(column) ?? [])
    if (bySlug.length > 0) return bySlug
    const byLabel = this.#names.flatMap(({ byLabel }) => byLabel.get(lower) ?? [])
    const slug = byLabel[0]?.property.slug
    return byLabel.filter(match => match.property.slug === slug)
  }
}

function namesOf({ target, properties }: Definitions): Names {
  const bySlug = new Map<string, Match>()
  const byLabel = new Map<string, Match>()
  for (const property of properties) bySlug.set(property.slug, { target, property, part: 'row' })
  for (const property of properties) {
    const label = property.label.toLowerCase()
    if (label !== '' && !byLabel.has(label)) byLabel.set(label, { target, property, part: 'row' })
    if (property.level !== 'override') continue
    for (const [suffix, part] of [
      ['Family', 'family'],
      ['Option', 'option'],
    ] as const) {
      const name = property.slug + suffix
      if (!bySlug.has(name)) bySlug.set(name, { target, property, part })
    }
  }
  return { target, bySlug, byLabel }
}
