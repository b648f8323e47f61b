// Drafts as they are staged: the names of properties and what new entities get stand once for all drafts that share
// them, so that a chunk takes about as much room as its rows in the file.
import { targetNamed } from '../targets.ts'
import type { Draft } from './draft.ts'
import type { Properties } from './row-values.ts'

type Row = [target: number, key: string, line: number, shape: number, values: unknown[], make: number, more?: More]

interface More {
  family?: string
  assortmentId?: string
  membership?: 'keep'
  movedFrom?: string
}

export interface Packed {
  /** Their names. */
  targets: string[]
  shapes: string[][]
  /** The draft's own key is left out of its values and written as 0. */
  makes: [slug: string, value: unknown][][]
  rows: Row[]
}

/** What stands once: most drafts are like the one before, which is the first to be looked at. */
class Table<T> {
  readonly list: T[] = []
  readonly #places = new Map<string, number>()
  #last = -1

  place(isLike: (one: T) => boolean, make: () => T): number {
    const last = this.list[this.#last]
    if (last !== undefined && isLike(last)) return this.#last
    const one = make()
    const key = JSON.stringify(one)
    this.#last = this.#places.get(key) ?? this.list.push(one) - 1
    this.#places.set(key, this.#last)
    return this.#last
  }
}

function hasKeys(properties: Properties, slugs: readonly string[]): boolean {
  let at = 0
  for (const slug in properties) if (slug !== slugs[at++]) return false
  return at === slugs.length
}

function makes({ make, key }: Draft, made: readonly [slug: string, value: unknown][]): boolean {
  let at = 0
  for (const slug in make) {
    const [known, value] = made[at++] ?? []
    if (slug !== known || make[slug] !== (value === 0 ? key : value)) return false
  }
  return at === made.length
}

function madeBy({ make, key }: Draft): [slug: string, value: unknown][] {
  return Object.entries(make).map(([slug, value]) => [slug, value === key ? 0 : value])
}

export function pack(drafts: readonly Draft[]): Packed {
  const targets = new Table<string>()
  const shapes = new Table<string[]>()
  const mades = new Table<[slug: string, value: unknown][]>()
  const rows = drafts.map((draft): Row => {
    const row: Row = [
      targets.place(
        name => name === draft.target.name,
        () => draft.target.name,
      ),
      draft.key,
      draft.line,
      shapes.place(
        slugs => hasKeys(draft.set, slugs),
        () => Object.keys(draft.set),
      ),
      Object.values(draft.set),
      mades.place(
        made => makes(draft, made),
        () => madeBy(draft),
      ),
    ]
    const { family, assortmentId, membership, movedFrom } = draft
    if (family !== undefined || assortmentId !== undefined || membership || movedFrom !== undefined) {
      row.push({
        ...(family !== undefined && { family }),
        ...(assortmentId !== undefined && { assortmentId }),
        ...(membership && { membership }),
        ...(movedFrom !== undefined && { movedFrom }),
      })
    }
    return row
  })
  return { targets: targets.list, shapes: shapes.list, makes: mades.list, rows }
}

export function unpack({ targets, shapes, makes, rows }: Packed): Draft[] {
  return rows.map(([target, key, line, shape, values, make, more]): Draft => {
    const set: Properties = {}
    const slugs = shapes[shape] ?? []
    for (let at = 0; at < slugs.length; at++) set[slugs[at] ?? ''] = values[at]
    const made: Properties = {}
    for (const [slug, value] of makes[make] ?? []) made[slug] = value === 0 ? key : value
    return { target: targetNamed(targets[target] ?? ''), key, line, set, make: made, ...more }
  })
}
