// Drafts as they are staged: those that are alike stand together, column by column, and what they share stands once. A chunk takes
// less room than its rows in the file, and whole columns of texts are read and written at once. Pure.
import { targetNamed } from '../targets.ts'
import type { Draft } from './draft.ts'
import type { Properties } from './row-values.ts'

/** What few drafts have. */
type More = Pick<Draft, 'family' | 'assortmentId' | 'membership' | 'movedFrom'>

/** Texts as one text, where they are nothing else. */
type Column = string | unknown[]

/** The draft's own key is left out of its values and written as 0. */
type Made = [slug: string, value: unknown][]

/** Drafts of one entity type, with the same properties. */
interface PackedGroup {
  target: string
  slugs: string[]
  made: Made
  keys: Column
  lines: number[]
  values: Column[]
  more?: (More | 0)[]
}

export interface Packed {
  groups: PackedGroup[]
  /** Which group each draft is of, or ODD; left out where there is one. */
  order?: number[]
  /** Drafts of no group, as they are. */
  odd?: Plain[]
}

type Plain = Omit<Draft, 'target'> & { target: string }

/** Rows may be as unlike as there are rows: each group takes room for all its columns. */
const GROUPS_MAX = 16
/** Behind the last group. */
const ODD = -1

/** JSON leaves it as it is, and hardly any cell has it. */
const BETWEEN = '\x7f'

function packColumn(values: unknown[]): Column {
  const areTexts = values.every(value => typeof value === 'string') && !values.join('').includes(BETWEEN)
  return areTexts ? values.join(BETWEEN) : values
}

const unpackColumn = (column: Column): unknown[] => (typeof column === 'string' ? column.split(BETWEEN) : column)

class Group {
  readonly #target: Draft['target']
  readonly #slugs: string[]
  readonly #made: Made
  readonly #keys: string[] = []
  readonly #lines: number[] = []
  readonly #values: unknown[][]
  readonly #more: (More | 0)[] = []

  constructor({ target, key, set, make }: Draft) {
    this.#target = target
    this.#slugs = Object.keys(set)
    this.#made = Object.entries(make).map(([slug, value]) => [slug, value === key ? 0 : value])
    this.#values = this.#slugs.map(() => [])
  }

  isFor({ target, key, set, make }: Draft): boolean {
    if (target !== this.#target) return false
    let at = 0
    for (const slug in set) if (slug !== this.#slugs[at++]) return false
    let place = 0
    for (const slug in make) {
      const [known, value] = this.#made[place++] ?? []
      if (slug !== known || make[slug] !== (value === 0 ? key : value)) return false
    }
    return at === this.#slugs.length && place === this.#made.length
  }

  add(draft: Draft): void {
    const { key, line, set } = draft
    this.#keys.push(key)
    this.#lines.push(line)
    let at = 0
    for (const slug in set) this.#values[at++]?.push(set[slug])
    this.#more.push(moreOf(draft))
  }

  pack(): PackedGroup {
    return {
      target: this.#target.name,
      slugs: this.#slugs,
      made: this.#made,
      keys: packColumn(this.#keys),
      lines: this.#lines,
      values: this.#values.map(packColumn),
      ...(this.#more.some(Boolean) && { more: this.#more }),
    }
  }
}

/** JSON leaves out what is undefined. */
function moreOf({ family, assortmentId, membership, movedFrom }: Draft): More | 0 {
  const isPlain = (family ?? assortmentId ?? membership ?? movedFrom) === undefined
  return isPlain ? 0 : ({ family, assortmentId, membership, movedFrom } as More)
}

export function pack(drafts: readonly Draft[]): Packed {
  const groups: Group[] = []
  const odd: Plain[] = []
  const placeOf = (draft: Draft): number => {
    const place = groups.findIndex(group => group.isFor(draft))
    if (place >= 0 || groups.length === GROUPS_MAX) return place
    return groups.push(new Group(draft)) - 1
  }
  const order: number[] = []
  let last = ODD
  for (const draft of drafts) {
    // Most drafts are like the one before.
    if (!groups[last]?.isFor(draft)) last = placeOf(draft)
    if (last === ODD) odd.push({ ...draft, target: draft.target.name })
    else groups[last]?.add(draft)
    order.push(last)
  }
  return {
    groups: groups.map(group => group.pack()),
    ...(groups.length > 1 && { order }),
    ...(odd.length > 0 && { odd }),
  }
}

export function unpack({ groups, order, odd = [] }: Packed): Draft[] {
  const unpacked = groups.map(unpackGroup)
  const [only = []] = unpacked
  if (!order) return only
  const others = odd.map((draft): Draft => ({ ...draft, target: targetNamed(draft.target) }))
  const lists = [...unpacked, others].map(list => list.values())
  return order.flatMap(group => lists.at(group)?.next().value ?? [])
}

function unpackGroup({ target: name, slugs, made, keys, lines, values, more }: PackedGroup): Draft[] {
  const target = targetNamed(name)
  const columns = values.map(unpackColumn)
  return (unpackColumn(keys) as string[]).map((key, at): Draft => {
    const set: Properties = {}
    for (let column = 0; column < slugs.length; column++) set[slugs[column] ?? ''] = columns[column]?.[at]
    const make: Properties = {}
    for (const [slug, value] of made) make[slug] = value === 0 ? key : value
    const draft = { target, key, line: lines[at] ?? 0, set, make }
    return more ? { ...draft, ...(more[at] || undefined) } : draft
  })
}
