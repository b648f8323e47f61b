// What holds for a type path, as layers: what it defines itself lies on what it inherits. Each type's own definitions are held
// once, shared by all paths that inherit them: nested types, and paths without a description, can be many (N60).
import type { PropertyDefinition } from './contract.ts'

/** By slug. */
export interface Definitions {
  readonly size: number
  /** What every new entity must have. */
  readonly required: readonly PropertyDefinition[]
  get(slug: string): PropertyDefinition | undefined
  has(slug: string): boolean
  values(): Iterable<PropertyDefinition>
}

/** An archived property cannot be filled in any more, so it is never required (N67). */
export const isRequired = ({ required, archived }: PropertyDefinition) => Boolean(required) && !archived

export class Layer implements Definitions {
  readonly size: number
  readonly #own: ReadonlyMap<string, PropertyDefinition>
  readonly #under: Layer | undefined
  #required: readonly PropertyDefinition[] | undefined

  constructor(own: readonly PropertyDefinition[], under: Layer | undefined) {
    this.#own = new Map(own.map(property => [property.slug, property]))
    this.#under = under
    const added = under ? [...this.#own.keys()].filter(slug => !under.has(slug)).length : this.#own.size
    this.size = added + (under?.size ?? 0)
  }

  /** The nearest definition holds. */
  get(slug: string): PropertyDefinition | undefined {
    let layer: Layer | undefined = this
    while (layer) {
      const found = layer.#own.get(slug)
      if (found) return found
      layer = layer.#under
    }
    return undefined
  }

  has(slug: string): boolean {
    return this.get(slug) !== undefined
  }

  /** Made once from those of the layer below: a type may define thousands, of which few are required (N77). */
  get required(): readonly PropertyDefinition[] {
    this.#required ??= [
      ...(this.#under?.required ?? []).filter(({ slug }) => !this.#own.has(slug)),
      ...[...this.#own.values()].filter(isRequired),
    ]
    return this.#required
  }

  /** Those of the type farthest above first; one that is defined again keeps its place. */
  *values(): Generator<PropertyDefinition> {
    const layers: Layer[] = []
    for (let layer: Layer | undefined = this; layer; layer = layer.#under) layers.unshift(layer)
    for (const layer of layers) {
      for (const [slug, property] of layer.#own) {
        if (layer.#under?.has(slug)) continue
        yield layer === this ? property : (this.get(slug) ?? property)
      }
    }
  }
}
