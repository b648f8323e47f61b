// From drafts and what exists to writes: what is new is created, what differs is updated by its differences alone, and
// what is the same is left alone. No I/O; ids of new entities are drawn here.
import { kindNamed } from '../../../kinds.ts'
import { canonical, canonicalFields } from '../../../platform/canonical.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { idSeries } from '../../../platform/ids.ts'
import type { Draft } from '../drafts/draft.ts'
import type { Properties } from '../drafts/row-values.ts'
import type { Target } from '../rows/property.ts'
import { addCount, type LoadState } from '../state.ts'
import { type Existing, pairKey } from '../store/existing.ts'
import type { MemberChange } from '../store/members.ts'

export interface Found {
  /** By federatedId. */
  main: ReadonlyMap<string, Existing>
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
  /** What a new option takes from its stored family where the file says nothing (N32). */
  inheritedSlugs: (typePath: string) => readonly string[]
}

export interface WritePlan {
  writes: Write[]
  members: MemberChange[]
  results: LoadState['results']
  unrecorded: number
}

const KINDS: Record<Target, ReturnType<typeof kindNamed>> = {
  item: kindNamed('item'),
  'project-item': kindNamed('project-item'),
  'assortment-item': kindNamed('assortment-item'),
  color: kindNamed('color'),
  'custom-entity': kindNamed('custom-entity'),
  'size-range-template': kindNamed('size-range-template'),
}

/** Drafts of the same entity become one, in the order of the file. */
export function merged(drafts: readonly Draft[]): Draft[] {
  const list: Draft[] = []
  const places = new Map<string, Map<string, number>>()
  for (const draft of drafts) {
    const { target, assortmentId, key } = draft
    const scope = assortmentId === undefined ? target : `${target}\n${assortmentId}`
    const within = places.get(scope) ?? new Map<string, number>()
    places.set(scope, within)
    const place = within.get(key)
    const first = place === undefined ? undefined : list[place]
    if (place === undefined || !first) within.set(key, list.push(draft) - 1)
    else list[place] = { ...first, set: { ...first.set, ...draft.set }, make: { ...draft.make, ...first.make } }
  }
  return list
}

export class Planner {
  readonly plan: WritePlan = { writes: [], members: [], results: {}, unrecorded: 0 }
  readonly #found: Found
  readonly #rules: WriteRules
  readonly #itemIds = new Map<string, string>()
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
    else {
      const fields =
        draft.target === 'item' && draft.family !== undefined ? { itemFamilyId: this.#itemId(draft.family) } : {}
      const id = this.#write(draft, this.#found.main.get(draft.key), fields)
      if (draft.target === 'item' && id) this.#itemIds.set(draft.key, id)
    }
  }

  #addProjectItem(draft: Draft): void {
    const itemId = this.#itemId(draft.key)
    const fields = { itemId, projectId: this.#rules.projectId }
    const id = this.#write(draft, this.#found.projectItems.get(itemId), fields)
    if (id) this.#projectItemIds.set(itemId, id)
  }

  #addMember(draft: Draft): void {
    const itemId = this.#itemId(draft.key)
    const assortmentId = draft.assortmentId ?? ''
    const existing = this.#found.members.get(pairKey(assortmentId, itemId))
    if (!existing && draft.membership === 'keep') return
    const projectItemId = this.#projectItemIds.get(itemId) ?? this.#found.projectItems.get(itemId)?.id
    const before = this.plan.writes.length
    this.#write(draft, existing, { itemId, assortmentId, ...(projectItemId !== undefined && { projectItemId }) })
    if (this.plan.writes.length > before) {
      this.plan.members.push({ assortmentId, itemId, change: existing ? 'update' : 'add' })
    }
  }

  #itemId(key: string): string {
    const id = this.#itemIds.get(key) ?? this.#found.main.get(key)?.id
    if (id !== undefined) return id
    // A dry run has not made the items of the chunks before.
    if (!this.#rules.isDryRun) throw new Error(`the item ${key} of this load is gone`)
    return `new ${key}`
  }

  #write(draft: Draft, existing: Existing | undefined, fields: Properties): string | undefined {
    const kind = KINDS[draft.target]
    const set = canonicalFields({ ...draft.set, ...fields })
    const isUnrecorded = draft.target === 'assortment-item' && this.#rules.skipsRecords
    const aloud = isUnrecorded ? ({ unrecorded: true } as const) : {}
    if (!existing) {
      if (draft.follows && this.#rules.isDryRun) return undefined
      const id = this.#newId()
      const data: Properties = { typePath: draft.target, ...draft.make }
      for (const slug in set) {
        if (set[slug] === null) delete data[slug]
        else data[slug] = set[slug]
      }
      if (draft.target === 'item' && draft.family !== undefined) this.#inheritStored(data, draft.family)
      this.plan.writes.push({ op: 'create', kind, id, data, ...aloud })
      addCount(this.plan.results, draft.target, { created: 1 })
      if (isUnrecorded) this.plan.unrecorded++
      return id
    }
    const patch = differences(existing.data, set)
    if (!patch) addCount(this.plan.results, draft.target, { unchanged: 1 })
    else {
      this.plan.writes.push({ op: 'update', kind, id: existing.id, patch, ...aloud })
      addCount(this.plan.results, draft.target, { updated: 1 })
      if (isUnrecorded) this.plan.unrecorded++
    }
    return existing.id
  }

  #inheritStored(data: Properties, family: string): void {
    const stored = this.#found.main.get(family)?.data
    if (!stored) return
    for (const slug of this.#rules.inheritedSlugs(String(data.typePath))) {
      const value = stored[slug]
      if (data[slug] === undefined && value !== undefined) data[slug] = value
    }
  }
}

export function differences(data: Properties, set: Properties): Properties | undefined {
  let patch: Properties | undefined
  for (const slug in set) {
    const value = set[slug]
    const stored = data[slug] ?? null
    if (value === stored) continue
    if (typeof value === 'object' && value !== null && JSON.stringify(value) === JSON.stringify(canonical(stored)))
      continue
    patch ??= {}
    patch[slug] = value
  }
  return patch
}
