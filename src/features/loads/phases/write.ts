// Writes the staged chunks, a bounded number of entities in each commit. Which of them exist is looked up just before; a
// commit that finds it otherwise is planned again.
import { Fault } from '../../../platform/errors.ts'
import { LOAD_COMMIT_MAX_ENTITIES } from '../../../platform/limits.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { scopeOf } from '../drafts/check-drafts.ts'
import { memberKey } from '../drafts/claims.ts'
import type { Draft } from '../drafts/draft.ts'
import { inherit } from '../drafts/inherited-values.ts'
import { inheritedSlugs, typeSource } from '../rows/effective-properties.ts'
import type { Target, TypeSource } from '../rows/property.ts'
import { addCount, type LoadState } from '../state.ts'
import { readClaims } from '../store/claims.ts'
import { findAssortmentItems, findByKey, findProjectItems } from '../store/existing.ts'
import type { Load } from '../store/loads.ts'
import { noteChanges } from '../store/members.ts'
import { Staging } from '../store/staging.ts'
import { type Found, merged, Planner, type WritePlan } from './write-plan.ts'

const PLANS_MAX = 3

export async function write(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const staging = new Staging(scope.env.FILES, scope.org.id, load.id)
  const types = typeSource(await staging.readTypes())
  let upcoming = load.state.chunk < load.state.chunks ? staging.readChunk(load.state.chunk) : undefined
  while (upcoming) {
    const { rows, drafts } = await upcoming
    const { chunk } = load.state
    upcoming = chunk + 1 < load.state.chunks ? staging.readChunk(chunk + 1) : undefined
    upcoming?.catch(() => undefined)
    const units = Math.max(1, Math.ceil(drafts.length / LOAD_COMMIT_MAX_ENTITIES))
    for (let unit = load.state.unit; unit < units; unit++) {
      const some = drafts.slice(unit * LOAD_COMMIT_MAX_ENTITIES, (unit + 1) * LOAD_COMMIT_MAX_ENTITIES)
      const isLast = unit === units - 1
      const { state } = load
      const place = isLast
        ? { chunk: chunk + 1, unit: 0, rowsWritten: state.rowsWritten + rows }
        : { chunk, unit: unit + 1 }
      load = await writeUnit(scope, load, some, { ...state, ...place }, types)
      if (!(await mayGoOn())) return load
    }
  }
  return advance(scope, load, { ...load.state, phase: 'spreading', at: 0, after: '' })
}

async function writeUnit(
  scope: LoadScope,
  load: Load,
  given: Draft[],
  state: LoadState,
  types: TypeSource,
): Promise<Load> {
  const drafts = merged(given)
  if (state.inherits) await inheritAll(scope, load, drafts)
  for (let plans = 1; ; plans++) {
    const plan = await planUnit(scope, load, drafts, types)
    const next = {
      ...state,
      results: summed(state.results, plan.results),
      unrecorded: state.unrecorded + plan.unrecorded,
    }
    if (state.configuration.dryRun) return advance(scope, load, next)
    const notes = state.configuration.shouldSkipAssortmentPublish ? [] : noteChanges(load.id, plan.members)
    try {
      return await advance(scope, load, next, { writes: plan.writes, statements: notes })
    } catch (error) {
      const isOvertaken = error instanceof Fault && (error.code === 'duplicate' || error.code === 'not_found')
      if (!isOvertaken || plans === PLANS_MAX) throw error
    }
  }
}

function summed(results: LoadState['results'], more: LoadState['results']): LoadState['results'] {
  const sum = { ...results }
  for (const [target, counts] of Object.entries(more)) addCount(sum, target as Target, counts)
  return sum
}

async function planUnit(scope: LoadScope, load: Load, drafts: readonly Draft[], types: TypeSource): Promise<WritePlan> {
  const { configuration, projectId } = load.state
  const found = await findAll(scope, load, drafts)
  const rules = {
    projectId,
    skipsRecords: configuration.shouldSkipAssortmentPublish ?? false,
    isDryRun: configuration.dryRun ?? false,
    inheritedSlugs: (typePath: string) => inheritedSlugs(types, typePath),
  }
  return new Planner(found, rules).add(drafts)
}

async function findAll(scope: LoadScope, { state }: Load, drafts: readonly Draft[]): Promise<Found> {
  const { db, org } = scope
  const first = drafts[0]
  const federatedScope = !first ? 'item' : state.configuration.loadType.includes('ITEM') ? 'item' : scopeOf(first)
  const keys = new Set(drafts.flatMap(draft => (draft.family === undefined ? [draft.key] : [draft.key, draft.family])))
  const main = await findByKey(db, org.id, federatedScope, [...keys])
  const seasonal = drafts.filter(({ target }) => target === 'project-item' || target === 'assortment-item')
  const itemIds = [...new Set(seasonal.flatMap(({ key }) => main.get(key)?.id ?? []))]
  const pairs = seasonal.flatMap(({ assortmentId, key }) => {
    const itemId = main.get(key)?.id
    return assortmentId !== undefined && itemId !== undefined ? [[assortmentId, itemId] as const] : []
  })
  const [projectItems, members] = await Promise.all([
    state.projectId === null ? new Map() : findProjectItems(db, org.id, state.projectId, itemIds),
    findAssortmentItems(db, org.id, pairs),
  ])
  return { main, projectItems, members }
}

/** What the file says of families reaches their options, wherever in the file it stands. */
async function inheritAll(scope: LoadScope, load: Load, drafts: readonly Draft[]): Promise<void> {
  const options = drafts.filter(draft => draft.family !== undefined)
  const claimKey = ({ target, assortmentId = '', family = '' }: Draft) =>
    target === 'assortment-item' ? memberKey(assortmentId, family) : family
  for (const space of ['item', 'member'] as const) {
    const some = options.filter(({ target }) => (target === 'assortment-item') === (space === 'member'))
    if (some.length === 0) continue
    const claims = await readClaims(scope.db, load.id, space, [...new Set(some.map(claimKey))])
    const byKey = new Map(claims.map(claim => [claim.key, claim]))
    for (const draft of some) {
      const claim = byKey.get(claimKey(draft))
      if (claim) inherit(draft, claim)
    }
  }
}
