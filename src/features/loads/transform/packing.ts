// Drafts as they are staged: the names of properties and what new entities get stand once for all drafts that share
// them, so that a chunk takes about as much room as its rows in the file.
import type { Draft } from './draft.ts'
import type { Properties } from './values.ts'

type Row = [target: number, key: string, line: number, shape: number, values: unknown[], make: number, more?: More]

interface More {
  family?: string
  assortmentId?: string
  membership?: 'keep'
  follows?: true
}

export interface Packed {
  targets: Draft['target'][]
  shapes: string[][]
  /** The draft's own key is left out of its values and written as 0. */
  makes: [slug: string, value: unknown][][]
  rows: Row[]
}

class Table<T> {
  readonly list: T[] = []
  readonly #places = new Map<string, number>()

  place(key: string, make: () => T): number {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place = this.list.push(make()) - 1
    this.#places.set(key, place)
    return place
  }
}

export function pack(drafts: readonly Draft[]): Packed {
  const targets = new Table<Draft['target']>()
  const shapes = new Table<string[]>()
  const makes = new Table<[string, unknown][]>()
  const rows = drafts.map((draft): Row => {
    const slugs = Object.keys(draft.set)
    const made = Object.entries(draft.make).map(([slug, value]): [string, unknown] => [
      slug,
      value === draft.key ? 0 : value,
    ])
    const row: Row = [
      targets.place(draft.target, () => draft.target),
      draft.key,
      draft.line,
      shapes.place(`${slugs.length}\n${slugs.join('\n')}`, () => slugs),
      Object.values(draft.set),
      makes.place(JSON.stringify(made), () => made),
    ]
    const { family, assortmentId, membership, follows } = draft
    if (family !== undefined || assortmentId !== undefined || membership || follows) {
      row.push({
        ...(family !== undefined && { family }),
        ...(assortmentId !== undefined && { assortmentId }),
        ...(membership && { membership }),
        ...(follows && { follows }),
      })
    }
    return row
  })
  return { targets: targets.list, shapes: shapes.list, makes: makes.list, rows }
}

export function unpack({ targets, shapes, makes, rows }: Packed): Draft[] {
  return rows.map(([target, key, line, shape, values, make, more]): Draft => {
    const set: Properties = {}
    for (const [at, slug] of (shapes[shape] ?? []).entries()) set[slug] = values[at]
    const made: Properties = {}
    for (const [slug, value] of makes[make] ?? []) made[slug] = value === 0 ? key : value
    return { target: targets[target] ?? 'item', key, line, set, make: made, ...more }
  })
}
