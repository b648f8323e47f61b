// From drafts and what exists to writes: what is new is created, what differs is updated by its differences alone, and
// what is the same is left alone. No I/O; ids of new entities are drawn here.
import { kindNamed } from '../../../kinds.ts'
import { canonical, canonicalFields } from '../../../platform/canonical.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { idSeries } from '../../../platform/ids.ts'
import { type Draft, draftKey } from '../drafts/draft.ts'
import { type FamilyWords, inheritedValues } from '../drafts/inherited-values.ts'
import type { Properties } from '../drafts/row-values.ts'
import type { Inherited, Target } from '../rows/property.ts'
import { addCount, type LoadState } from '../state.ts'
import { type Existing, pairKey } from '../store/existing.ts'

export interface Found {
  /** By federatedId. */
  main: ReadonlyMap<string, Existing>
  /** Families that options leave, by id. */
  left: ReadonlyMap<string, Existing>
  /** By the id of their item. */
  projectItems: ReadonlyMap<string, Existing>
  /** By assortment and item. */
  members: ReadonlyMap<string, Existing>
}

export interface WriteRules {
  projectId: string | null
  /** Whether assortment items go without change records (N33). */
  skipsRecords: boolean
  isDryRun: boolean
  /** What entities of this type have from their families (N32). */
  inheritedBy: (typePath: string) => readonly Inherited[]
  /** What the file says of a family, or of the family of an option. */
  wordsFor: (draft: Draft) => FamilyWords | undefined
  /** Whether any row adds this family to its assortment. */
  isAdded: (draft: Draft) => boolean
}

/** A family's changes that its options have to be compared with first; see inherit-options.ts. */
export interface LaterWrite {
  key: string
  line: number
  id: string
  patch: Properties
}

export interface WritePlan {
  writes: Write[]
  later: LaterWrite[]
  results: LoadState['results']
  unrecorded: number
}

export const KINDS: Record<Target, ReturnType<typeof kindNamed>> = {
  item: kindNamed('item'),
  'project-item': kindNamed('project-item'),
  'assortment-item': kindNamed('assortment-item'),
  color: kindNamed('color'),
  'custom-entity': kindNamed('custom-entity'),
  'size-range-template': kindNamed('size-range-template'),
}

export class Planner {
  readonly plan: WritePlan = { writes: [], later: [], results: {}, unrecorded: 0 }
  readonly #found: Found
  readonly #rules: WriteRules
  readonly #items = new Map<string, { id: string; typePath: unknown }>()
  readonly #projectItemIds = new Map<string, string>()
  readonly #newId = idSeries()

  constructor(found: Found, rules: WriteRules) {
    this.#found = found
    this.#rules = rules
  }

  /** Items before what belongs to them. */
  add(drafts: readonly Draft[]): WritePlan {
    for (const target of Object.keys(KINDS) as Target[]) {
      const some = drafts.filter(draft => draft.target === target)
      // Families first: their options need their ids.
      for (const draft of some) if (draft.family === undefined) this.#add(draft)
      for (const draft of some) if (draft.family !== undefined) this.#add(draft)
    }
    return this.plan
  }

  #add(draft: Draft): void {
    if (draft.target === 'project-item') this.#addProjectItem(draft)
    else if (draft.target === 'assortment-item') this.#addMember(draft)
    else if (draft.target === 'item') this.#addItem(draft)
    else this.#write(draft, this.#found.main.get(draft.key), {})
  }

  #addItem(draft: Draft): void {
    const { family, movedFrom } = draft
    const existing = this.#found.main.get(draft.key)
    const fields: Properties = family === undefined ? {} : { itemFamilyId: this.#itemId(family) }
    const role = family === undefined ? 'family' : 'option'
    if (existing && !(Array.isArray(existing.data.roles) && existing.data.roles.includes(role))) fields.roles = [role]
    const stored = family === undefined ? undefined : this.#found.main.get(family)?.data
    const previous = movedFrom === undefined ? undefined : this.#found.left.get(movedFrom)?.data
    this.#write(draft, existing, fields, stored, previous)
  }

  #addProjectItem(draft: Draft): void {
    const { family, movedFrom = '' } = draft
    const itemId = this.#itemId(draft.key)
    const stored = family === undefined ? undefined : this.#found.projectItems.get(this.#itemId(family))?.data
    const previous = this.#found.projectItems.get(movedFrom)?.data
    const fields = { itemId, projectId: this.#rules.projectId }
    const id = this.#write(draft, this.#found.projectItems.get(itemId), fields, stored, previous)
    if (id) this.#projectItemIds.set(itemId, id)
  }

  #addMember(draft: Draft): void {
    const { family, movedFrom = '', assortmentId = '' } = draft
    const itemId = this.#itemId(draft.key)
    const memberOf = (item: string) => this.#found.members.get(pairKey(assortmentId, item))
    const existing = memberOf(itemId)
    if (!existing && draft.membership === 'keep' && !this.#rules.isAdded(draft)) return
    const projectItemId = this.#projectItemIds.get(itemId) ?? this.#found.projectItems.get(itemId)?.id
    const fields = { itemId, assortmentId, ...(projectItemId !== undefined && { projectItemId }) }
    const stored = family === undefined ? undefined : memberOf(this.#itemId(family))?.data
    this.#write(draft, existing, fields, stored, memberOf(movedFrom)?.data)
  }

  #itemId(key: string): string {
    const id = this.#items.get(key)?.id ?? this.#found.main.get(key)?.id
    if (id !== undefined) return id
    // A dry run has not made the items of the chunks before.
    if (!this.#rules.isDryRun) throw new Error(`the item ${key} of this load is gone`)
    return `new ${key}`
  }

  /** `family` and `previous` are what the option has and has had as its family, as they are stored. */
  #write(
    draft: Draft,
    existing: Existing | undefined,
    fields: Properties,
    family?: Properties,
    previous?: Properties,
  ): string {
    const set = canonicalFields({ ...draft.set, ...fields })
    const typePath = this.#typePathOf(draft, existing)
    const inherited = draft.family === undefined ? [] : this.#rules.inheritedBy(typePath)
    if (inherited.length > 0) {
      const hasMoved = draft.movedFrom !== undefined
      const lineage = { words: this.#rules.wordsFor(draft), family, option: existing?.data, previous, hasMoved }
      Object.assign(set, inheritedValues(inherited, draft.set, lineage))
    }
    const id = existing?.id ?? this.#newId()
    if (draft.target === 'item') this.#items.set(draft.key, { id, typePath })
    if (existing) this.#update(draft, existing, set)
    else this.#create(draft, id, { ...set, typePath })
    return id
  }

  #typePathOf({ target, set, make, family = '' }: Draft, existing: Existing | undefined): string {
    const ofFamily = () => this.#items.get(family)?.typePath ?? this.#found.main.get(family)?.data.typePath
    const own = set.typePath ?? existing?.data.typePath ?? make.typePath
    return String(own ?? (target === 'item' ? ofFamily() : undefined) ?? target)
  }

  #create(draft: Draft, id: string, set: Properties): void {
    const data: Properties = { ...draft.make }
    for (const slug in set) {
      if (set[slug] === null) delete data[slug]
      else data[slug] = set[slug]
    }
    this.plan.writes.push({ op: 'create', kind: KINDS[draft.target], id, data, ...this.#unrecorded(draft) })
    addCount(this.plan.results, draft.target, { created: 1 })
  }

  #update(draft: Draft, { id, data }: Existing, set: Properties): void {
    const patch = differences(data, set)
    if (!patch) addCount(this.plan.results, draft.target, { unchanged: 1 })
    else if (!this.#rules.isDryRun && this.#mustWait(draft, patch)) {
      this.plan.later.push({ key: draftKey(draft), line: draft.line, id, patch })
    } else {
      this.plan.writes.push({ op: 'update', kind: KINDS[draft.target], id, patch, ...this.#unrecorded(draft) })
      addCount(this.plan.results, draft.target, { updated: 1 })
    }
  }

  /** Which options have a value of their own can be told only as long as the family has its old one. */
  #mustWait(draft: Draft, patch: Properties): boolean {
    const words = draft.family === undefined ? this.#rules.wordsFor(draft) : undefined
    return words !== undefined && Object.keys(words.loose).some(slug => Object.hasOwn(patch, slug))
  }

  #unrecorded({ target }: Draft): { unrecorded?: true } {
    if (target !== 'assortment-item' || !this.#rules.skipsRecords) return {}
    this.plan.unrecorded++
    return { unrecorded: true }
  }
}

export function differences(data: Properties, set: Properties): Properties | undefined {
  let patch: Properties | undefined
  for (const slug in set) {
    const value = set[slug]
    if (value === data[slug]) continue
    const stored = Object.hasOwn(data, slug) ? (data[slug] ?? null) : null
    if (value === stored) continue
    if (typeof value === 'object' && value !== null && JSON.stringify(value) === JSON.stringify(canonical(stored)))
      continue
    patch ??= {}
    patch[slug] = value
  }
  return patch
}
