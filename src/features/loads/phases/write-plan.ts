// From drafts and what exists to writes: what is new is created, what differs is updated by its differences alone, and
// what is the same is left alone. No I/O; ids of new entities are drawn here.
import { canonicalFields } from '../../../platform/canonical.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { Fault } from '../../../platform/errors.ts'
import { idSeries } from '../../../platform/ids.ts'
import { kindNamed } from '../../../platform/kind.ts'
import type { LoaderConfiguration } from '../contract.ts'
import { type Draft, draftKey } from '../drafts/draft.ts'
import { differences, isNamedApart, lacksRole, madeOf, typePathOf } from '../drafts/draft-data.ts'
import { type FamilyWords, inheritedValues } from '../drafts/inherited-values.ts'
import { FAMILY_ROLES } from '../drafts/item-drafts.ts'
import type { Properties } from '../drafts/row-values.ts'
import type { Inherited } from '../rows/property.ts'
import { addCount, type Counts, type LoadState } from '../state.ts'
import { type Existing, pairKey } from '../store/existing.ts'
import { LOAD_TARGETS, type LoadTarget } from '../targets.ts'

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
  /** Whether the load makes a project item for each item. */
  makesProjectItems: boolean
  /** Whether the file is an export, which says nothing of roles, and nothing by what is stored already (N51). */
  isExport: boolean
  /** Whether entities of this type go without change records (N33). */
  isUnrecorded: (target: LoadTarget) => boolean
  isDryRun: boolean
  mode: LoaderConfiguration['mode']
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

/** What the option has and has had as its family, as they are stored, and the type path that it gets where it has none. */
interface Parents {
  family: Properties | undefined
  previous: Properties | undefined
  typePath?: unknown
}

interface Written {
  id: string
  typePath: string
}

export class Planner {
  readonly plan: WritePlan = { writes: [], later: [], results: {}, unrecorded: 0 }
  readonly #found: Found
  readonly #rules: WriteRules
  readonly #items = new Map<string, Written>()
  readonly #projectItemIds = new Map<string, string>()
  /** Families that options name. */
  #named: ReadonlySet<string> = new Set()
  /** Whether anything here needs the id of an item that is written here. */
  #areLinked = false
  readonly #newId = idSeries()

  constructor(found: Found, rules: WriteRules) {
    this.#found = found
    this.#rules = rules
  }

  /** Items before what belongs to them. */
  add(drafts: readonly Draft[]): WritePlan {
    this.#named = new Set(drafts.flatMap(({ family }) => family ?? []))
    this.#areLinked = this.#named.size > 0 || drafts.some(({ target }) => target.home !== undefined)
    const targets = new Set(drafts.map(({ target }) => target))
    for (const target of LOAD_TARGETS.filter(target => targets.has(target))) {
      const some = drafts.filter(draft => draft.target === target)
      // Families first: their options need their ids.
      for (const draft of some) if (draft.family === undefined) this.#add(draft)
      for (const draft of some) if (draft.family !== undefined) this.#add(draft)
    }
    return this.plan
  }

  #add(draft: Draft): void {
    if (draft.target.home === 'projectId') this.#addProjectItem(draft)
    else if (draft.target.home === 'assortmentId') this.#addMember(draft)
    else this.#addMain(draft)
  }

  /** An entity with a federatedId of its own. */
  #addMain(draft: Draft): void {
    const { key, make, family, movedFrom } = draft
    const { main } = this.#found
    const existing = main.size > 0 ? main.get(key) : undefined
    this.#checkMode(draft, existing)
    const fields: Properties = family === undefined ? {} : { itemFamilyId: this.#itemId(family) }
    if (existing && this.#needsRole(key, family) && lacksRole(existing.data, make.roles)) fields.roles = make.roles
    if (family !== undefined && !this.#rules.isExport) this.#makeFamily(family, draft)
    const stored = family === undefined ? undefined : this.#found.main.get(family)?.data
    const previous = movedFrom === undefined ? undefined : this.#found.left.get(movedFrom)?.data
    const typePath = family === undefined ? undefined : this.#typeOfFamily(family, draft)
    const written = this.#write(draft, existing, fields, { family: stored, previous, typePath })
    if (this.#areLinked) this.#items.set(key, written)
  }

  /** What the mode asks for was so when the rows were read (N27). */
  #checkMode({ key, family, target }: Draft, existing: Existing | undefined): void {
    const { mode } = this.#rules
    if (mode === 'update' && !existing) throw new Fault('conflict', overtakenText(key, 'deleted', mode))
    // A family may be there already where a row adds an option to it.
    if (mode === 'create' && existing && (family !== undefined || !target.hasFamilies)) {
      throw new Fault('conflict', overtakenText(key, 'created', mode))
    }
  }

  /** What is stored may be what it was: a family's changes can wait until the end. */
  #typeOfFamily(key: string, draft: Draft): unknown {
    const told = this.#rules.wordsFor(draft)?.typePath ?? this.#items.get(key)?.typePath
    return told ?? this.#found.main.get(key)?.data.typePath
  }

  /** An item is a family where options name it, and not because it stands on a row of its own (N73). */
  #needsRole(key: string, family: string | undefined): boolean {
    return !this.#rules.isExport && (family !== undefined || this.#named.has(key))
  }

  /** The family of an option, where no draft of its own says what it is. */
  #makeFamily(key: string, { target }: Draft): void {
    const stored = this.#found.main.get(key)
    if (!stored || this.#items.has(key) || !lacksRole(stored.data, FAMILY_ROLES)) return
    this.#items.set(key, { id: stored.id, typePath: String(stored.data.typePath) })
    const kind = kindNamed(target.name)
    this.plan.writes.push({ op: 'update', kind, id: stored.id, patch: { roles: FAMILY_ROLES } })
  }

  #addProjectItem(draft: Draft): void {
    const { family, movedFrom = '' } = draft
    const itemId = this.#itemId(draft.key)
    const stored = family === undefined ? undefined : this.#found.projectItems.get(this.#itemId(family))?.data
    const previous = this.#found.projectItems.get(movedFrom)?.data
    const fields = { itemId, projectId: this.#rules.projectId }
    const { id } = this.#write(draft, this.#found.projectItems.get(itemId), fields, { family: stored, previous })
    this.#projectItemIds.set(itemId, id)
  }

  #addMember(draft: Draft): void {
    const { family, movedFrom = '', assortmentId = '' } = draft
    const itemId = this.#itemId(draft.key)
    const memberOf = (item: string) => this.#found.members.get(pairKey(assortmentId, item))
    const existing = memberOf(itemId)
    if (!existing && draft.membership === 'keep' && !this.#rules.isAdded(draft)) return
    const projectItemId = this.#projectItemId(itemId)
    const fields = { itemId, assortmentId, ...(projectItemId !== undefined && { projectItemId }) }
    const stored = family === undefined ? undefined : memberOf(this.#itemId(family))?.data
    this.#write(draft, existing, fields, { family: stored, previous: memberOf(movedFrom)?.data })
  }

  #projectItemId(itemId: string): string | undefined {
    const id = this.#projectItemIds.get(itemId) ?? this.#found.projectItems.get(itemId)?.id
    const { isDryRun, makesProjectItems } = this.#rules
    // A dry run has not made those of the commits before either.
    return id ?? (isDryRun && makesProjectItems ? `new ${itemId}` : undefined)
  }

  #itemId(key: string): string {
    const id = this.#items.get(key)?.id ?? this.#found.main.get(key)?.id
    if (id !== undefined) return id
    // A dry run has not made the items of the chunks before.
    if (!this.#rules.isDryRun) throw new Fault('conflict', goneText(key))
    return `new ${key}`
  }

  #write(draft: Draft, existing: Existing | undefined, fields: Properties, parents: Parents): Written {
    const { family, previous } = parents
    const typePath = typePathOf(draft, existing?.data.typePath, parents.typePath)
    const inherited = draft.family === undefined ? [] : this.#rules.inheritedBy(typePath)
    if (inherited.length > 0) {
      const hasMoved = draft.movedFrom !== undefined
      const { isExport, wordsFor } = this.#rules
      const ofFamily = this.#inheritedFrom(parents.typePath, typePath)
      const words = wordsFor(draft)
      const lineage = { words, family, option: existing?.data, previous, hasMoved, ofFamily, isExport }
      Object.assign(fields, inheritedValues(inherited, draft.set, lineage))
    }
    const id = existing?.id ?? this.#newId()
    if (existing) this.#update(draft, existing, fields)
    else this.#create(draft, id, fields, typePath)
    return { id, typePath }
  }

  #inheritedFrom(family: unknown, option: string): readonly Inherited[] | undefined {
    return family === undefined || family === option ? undefined : this.#rules.inheritedBy(String(family))
  }

  #create(draft: Draft, id: string, fields: Properties, typePath: string): void {
    const data = madeOf(draft, fields, typePath)
    this.#push({ op: 'create', kind: kindNamed(draft.target.name), id, data }, draft)
    this.#count(draft, 'created')
  }

  #update(draft: Draft, { id, data }: Existing, fields: Properties): void {
    const set = canonicalFields(draft.set, fields)
    if (isNamedApart(draft, data)) delete set.name
    const patch = differences(data, set)
    if (!patch) this.#count(draft, 'unchanged')
    else if (!this.#rules.isDryRun && this.#mustWait(draft, patch)) {
      this.plan.later.push({ key: draftKey(draft), line: draft.line, id, patch })
    } else {
      this.#push({ op: 'update', kind: kindNamed(draft.target.name), id, patch }, draft)
      this.#count(draft, 'updated')
    }
  }

  /** Which options have a value of their own can be told only as long as the family has its old one. */
  #mustWait(draft: Draft, patch: Properties): boolean {
    const { isExport, wordsFor } = this.#rules
    const words = draft.family === undefined ? wordsFor(draft) : undefined
    if (!words) return false
    const compared = isExport ? { ...words.fixed, ...words.loose } : words.loose
    return Object.keys(compared).some(slug => Object.hasOwn(patch, slug))
  }

  #push(write: Write, { target }: Draft): void {
    if (this.#rules.isUnrecorded(target)) {
      this.plan.unrecorded++
      write.unrecorded = true
    }
    this.plan.writes.push(write)
  }

  #count({ target }: Draft, what: keyof Counts): void {
    addCount(this.plan.results, target.name, what)
  }
}

const goneText = (key: string) =>
  `The item ${key} was deleted while the load ran. What is written so far stays; load the file again to complete it.`

const overtakenText = (key: string, what: 'created' | 'deleted', mode: string) =>
  `${key} was ${what} while the load ran, and the mode is ${mode}. What is written so far stays.`
