// What the file says of a family reaches all of its options, also those that the file does not name (N32); then the family's own
// changes are written that had to wait for it. Options come before their family: whatever interrupts this, loading the file
// again finds the family as it was and goes on. Only loads that say such things come here.
import { canonicalFields } from '../../../platform/canonical.ts'
import type { Write } from '../../../platform/db/commit/write.ts'
import { kindNamed } from '../../../platform/kind.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { stagingOf } from '../chunk.ts'
import { isPartial } from '../drafts/assortment-split.ts'
import { type Claim, keptIn, memberKey, partsOf } from '../drafts/claims.ts'
import { draftKey } from '../drafts/draft.ts'
import { differences } from '../drafts/draft-data.ts'
import { inheritedValues, isInherited, wordsIn } from '../drafts/inherited-values.ts'
import type { Properties } from '../drafts/row-values.ts'
import { inheritedBy, typeSource } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import { addCount, type LoadState } from '../state.ts'
import { claimsAfter, countClaims, readClaims } from '../store/claims.ts'
import {
  type Existing,
  findAssortmentItems,
  findByKey,
  findProjectItems,
  optionsOf,
  pairKey,
} from '../store/existing.ts'
import type { Load } from '../store/loads.ts'
import { fills, isMember, isUnrecorded, type LoadTarget, targetsOf } from '../targets.ts'

const FAMILIES = 200
const OPTIONS = 1000
const SPACES = ['item', 'member'] as const
type FamilySpace = (typeof SPACES)[number]

/** A pass goes through one space; the cursor is the last family, the part the last option under way. */
export async function spread(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = await counted(scope, given)
  const types = typeSource(await stagingOf(scope, load).readTypes())
  const spaces = spacesOf(load.state)
  for (let space = spaces[load.state.pass]; space; space = spaces[load.state.pass]) {
    const claims = await claimsAfter(scope.db, load.id, space, 'family', load.state.cursor, FAMILIES)
    if (claims.length > 0) load = await spreadFamilies(scope, load, space, claims, types)
    else load = await advance(scope, load, { ...load.state, pass: load.state.pass + 1, cursor: '', part: 0 })
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'removing', pass: 0, cursor: '', part: 0 })
}

/** How many families there are to go through: the progress is told by it. */
async function counted(scope: LoadScope, load: Load): Promise<Load> {
  const { state, id } = load
  const spaces = spacesOf(state)
  if (state.families !== null || spaces.length === 0) return load
  let families = 0
  for (const space of spaces) families += await countClaims(scope, id, space, 'family')
  return { ...load, state: { ...state, families } }
}

function spacesOf({ inherits, configuration }: LoadState): readonly FamilySpace[] {
  if (!inherits) return []
  return fills(configuration, 'assortmentId') ? SPACES : ['item']
}

/** A full load removes the members that its file does not name: of them, the families alone wait for their changes. */
function reachesUnnamed(space: FamilySpace, { configuration }: LoadState): boolean {
  return space !== 'member' || isPartial(configuration)
}

interface Family {
  claim: Claim
  itemId: string
  /** Its assortment, or none. */
  assortmentId: string
}

async function spreadFamilies(
  scope: LoadScope,
  load: Load,
  space: FamilySpace,
  claims: readonly Claim[],
  types: TypeSource,
): Promise<Load> {
  const { state } = load
  const inheriting = reachesUnnamed(space, state) ? claims.filter(isInherited) : []
  const families = await familiesOf(scope, state, space, inheriting)
  const ids = [...new Set(families.map(({ itemId }) => itemId))]
  // Options that the file names have got what is theirs with their own rows.
  const unnamedBy = space === 'member' ? null : load.id
  const options = await optionsOf(scope.db, scope.org.id, ids, state.part, OPTIONS, unnamedBy)
  const heirs = options.rows.map(({ id, familyId, data }) => ({ id, familyId, data, key: String(data.federatedId) }))
  const isLast = options.last === undefined
  const results = structuredClone(state.results)
  const writes: Write[] = []
  for (const target of targetsIn(space, state)) {
    const stored = heirs.length > 0 ? await storedFor(scope, load, target, families, heirs) : NOTHING_STORED
    const named = space === 'member' ? await namedAmong(scope, load, families, heirs) : NOBODY
    const made = heirs.flatMap(heir =>
      families
        .filter(({ itemId }) => itemId === heir.familyId)
        .flatMap(family => {
          const option = stored.get(pairKey(family.assortmentId, heir.id))
          if (!option || named.has(memberKey(family.assortmentId, heir.key))) return []
          const itself = stored.get(pairKey(family.assortmentId, family.itemId))
          return inherited(target, family, itself, option, types, isExport(state.configuration))
        }),
    )
    const waiting = isLast ? await laterWrites(scope, load, target, claims) : []
    const all = [...made, ...waiting].map(write => withRecord(write, target, state))
    writes.push(...all)
    if (all.length > 0) addCount(results, target.name, 'updated', all.length)
  }
  const unrecorded = state.unrecorded + writes.filter(write => write.unrecorded).length
  const place = isLast
    ? { cursor: claims.at(-1)?.key ?? '', part: 0, familiesDone: state.familiesDone + claims.length }
    : { part: options.last ?? 0 }
  const work = state.configuration.dryRun ? {} : { writes }
  return advance(scope, load, { ...state, ...place, results, unrecorded }, work)
}

function targetsIn(space: FamilySpace, { configuration }: LoadState): LoadTarget[] {
  return targetsOf(configuration).filter(target => isMember(target) === (space === 'member'))
}

async function familiesOf(
  { db, org }: LoadScope,
  { configuration }: LoadState,
  space: FamilySpace,
  claims: readonly Claim[],
): Promise<Family[]> {
  const named = claims.map(claim => ({
    claim,
    ...(space === 'member' ? partsOf(claim.key) : { assortmentId: '', itemKey: claim.key }),
  }))
  const keys = [...new Set(named.map(({ itemKey }) => itemKey))]
  const found = await findByKey(db, org.id, targetsOf(configuration)[0].name, keys)
  return named.flatMap(({ claim, assortmentId, itemKey }) => {
    const item = found.get(itemKey)
    return item ? [{ claim, assortmentId, itemId: item.id }] : []
  })
}

interface Heir {
  id: string
  familyId: string
  key: string
  data: Properties
}

/** The families and options of one entity type, by assortment and item. */
async function storedFor(
  { db, org }: LoadScope,
  { state }: Load,
  target: LoadTarget,
  families: readonly Family[],
  heirs: readonly Heir[],
): Promise<ReadonlyMap<string, Existing>> {
  const pairs = families.flatMap(({ assortmentId, itemId }) =>
    [itemId, ...heirs.filter(({ familyId }) => familyId === itemId).map(({ id }) => id)].map(
      id => [assortmentId, id] as const,
    ),
  )
  if (target.home === 'assortmentId') return findAssortmentItems(db, org.id, pairs)
  if (target.home === 'projectId') {
    const ids = [...new Set(pairs.map(([, id]) => id))]
    const found = await findProjectItems(db, org.id, state.projectId ?? '', ids)
    return new Map([...found].map(([id, item]) => [pairKey('', id), item]))
  }
  const items = await findByKey(
    db,
    org.id,
    target.name,
    families.map(({ claim }) => claim.key),
  )
  return new Map([
    ...[...items.values()].map(item => [pairKey('', item.id), item] as const),
    ...heirs.map(({ id, data }) => [pairKey('', id), { id, data }] as const),
  ])
}

const NOBODY: ReadonlySet<string> = new Set()
const NOTHING_STORED: ReadonlyMap<string, Existing> = new Map()

/** The members that the file names. */
async function namedAmong(
  { db }: LoadScope,
  { id }: Load,
  families: readonly Family[],
  heirs: readonly Heir[],
): Promise<Set<string>> {
  const keys = families.flatMap(family =>
    heirs.filter(({ familyId }) => familyId === family.itemId).map(({ key }) => memberKey(family.assortmentId, key)),
  )
  const claims = await readClaims(db, id, 'member', [...new Set(keys)])
  return new Set(claims.map(({ key }) => key))
}

function inherited(
  target: LoadTarget,
  { claim }: Family,
  family: Existing | undefined,
  { id, data }: Existing,
  types: TypeSource,
  isExport: boolean,
): Write[] {
  const words = wordsIn(claim, target)
  const [typePath, typeOfFamily] = [String(data.typePath), String(words.typePath ?? family?.data.typePath)]
  const ofFamily = target.home !== undefined || typeOfFamily === typePath ? undefined : inheritedBy(types, typeOfFamily)
  const lineage = { words, family: family?.data, option: data, ofFamily, isExport }
  const values = inheritedValues(inheritedBy(types, typePath), {}, lineage)
  const patch = differences(data, canonicalFields(values))
  return patch ? [{ op: 'update', kind: kindNamed(target.name), id, patch }] : []
}

async function laterWrites(
  { db }: LoadScope,
  load: Load,
  target: LoadTarget,
  claims: readonly Claim[],
): Promise<Write[]> {
  const keys = claims.map(({ key }) => {
    const { assortmentId, itemKey } = isMember(target) ? partsOf(key) : { assortmentId: '', itemKey: key }
    return draftKey({ target, assortmentId, key: itemKey })
  })
  const waiting = await readClaims(db, load.id, 'later', keys)
  return waiting.flatMap(({ shared }): Write[] => {
    const write = keptIn<{ id: string; patch: Properties }>(shared)
    return write ? [{ op: 'update', kind: kindNamed(target.name), ...write }] : []
  })
}

function withRecord(write: Write, target: LoadTarget, { configuration }: LoadState): Write {
  return isUnrecorded(target, configuration) ? { ...write, unrecorded: true } : write
}
