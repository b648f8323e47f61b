// The types of an organization as a table: which definitions hold for a type path, inheritance resolved (N20). Pure.
import type { PropertyDefinition } from './contract.ts'
import { type Definitions, Layer } from './definitions.ts'

export interface TypeRow {
  typePath: string
  label: string | null
  properties: PropertyDefinition[]
}

/** By slug, then by the path of the type. */
type Definers = ReadonlyMap<string, ReadonlyMap<string, PropertyDefinition>>

const NONE = new Layer([], undefined)

export class TypeTable {
  /** The organization's last change of a type; 0 where there was none. */
  readonly stamp: number
  /** About what the rows take as JSON. */
  readonly bytes: number
  readonly #rows: ReadonlyMap<string, TypeRow>
  readonly #resolved = new Map<string, Layer>()
  readonly #inherited = new Map<string, Layer>()
  readonly #below = new Map<string, readonly string[]>()
  readonly #definers = new Map<string, Definers>()

  constructor(stamp: number, rows: readonly TypeRow[], bytes = 0) {
    this.stamp = stamp
    this.bytes = bytes
    this.#rows = new Map(rows.map(row => [row.typePath, row]))
  }

  /** The same types, but for these: of two rows of a path the later one counts. */
  replaced(rows: readonly TypeRow[]): TypeTable {
    return new TypeTable(this.stamp, [...this.#rows.values(), ...rows])
  }

  get(typePath: string): TypeRow | undefined {
    return this.#rows.get(typePath)
  }

  /** All defined paths. */
  get paths(): readonly string[] {
    return [...this.#rows.keys()]
  }

  /** No more properties than these hold for the path; told without resolving any. */
  mostProperties(typePath: string): number {
    return pathsTo(typePath).reduce((sum, path) => sum + (this.#rows.get(path)?.properties.length ?? 0), 0)
  }

  /** Whether the path, or one above it, is described: then entities of the path have properties. */
  describes(typePath: string): boolean {
    return pathsTo(typePath).some(path => this.#rows.has(path))
  }

  /** All defined paths of one root. */
  below(root: string): readonly string[] {
    const known = this.#below.get(root)
    if (known) return known
    const paths = [...this.#rows.keys()].filter(path => path === root || path.startsWith(`${root}:`))
    this.#below.set(root, paths)
    return paths
  }

  /** What types of one root define themselves: what is called otherwise, none of them can refuse. */
  definersBelow(root: string): Definers {
    const known = this.#definers.get(root)
    if (known) return known
    const definers = new Map<string, Map<string, PropertyDefinition>>()
    for (const path of this.below(root)) {
      for (const property of this.#rows.get(path)?.properties ?? []) {
        const by = definers.get(property.slug) ?? new Map<string, PropertyDefinition>()
        definers.set(property.slug, by.set(path, property))
      }
    }
    this.#definers.set(root, definers)
    return definers
  }

  /** A property is defined by the nearest type at or above the path; `inheritedFrom` tells which, if not its own. */
  definitionsOf(typePath: string): Definitions {
    const row = this.#rows.get(typePath)
    if (!row) return this.#inheritedBelow(typePath) ?? NONE
    const known = this.#resolved.get(typePath)
    if (known) return known
    const definitions = new Layer(row.properties, this.#inheritedBelow(typePath))
    this.#resolved.set(typePath, definitions)
    return definitions
  }

  /** What the path has from those above it. It is kept for each path that is described: only so many are there. */
  #inheritedBelow(typePath: string): Layer | undefined {
    const row = this.#describedAbove(typePath)
    if (!row) return undefined
    const known = this.#inherited.get(row.typePath)
    if (known) return known
    const own = row.properties.map(property => ({ ...property, inheritedFrom: row.typePath }))
    const inherited = new Layer(own, this.#inheritedBelow(row.typePath))
    this.#inherited.set(row.typePath, inherited)
    return inherited
  }

  #describedAbove(typePath: string): TypeRow | undefined {
    const nearest = pathsTo(typePath).findLast(path => path !== typePath && this.#rows.has(path))
    return nearest === undefined ? undefined : this.#rows.get(nearest)
  }
}

/** No type path has more. */
const WORDS_MAX = 9

/** `a:b:c` → `a`, `a:b`, `a:b:c`. A text of any length may be asked for; only as much of it is looked at as a type path has. */
export function pathsTo(typePath: string): string[] {
  const words = typePath.split(':', WORDS_MAX)
  return words.map((_, at) => words.slice(0, at + 1).join(':'))
}

export const rootOf = (typePath: string): string => typePath.split(':', 1)[0] ?? typePath
