// Writes the staged chunks, a bounded number of entities in each commit. Which of them exist is looked up just before; a
// commit that finds it otherwise is planned again.
import { Fault } from '../../../platform/errors.ts'
import { StepSuperseded } from '../../../platform/jobs/commit-step.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { stagingOf } from '../chunk.ts'
import { scopeOf } from '../drafts/check-drafts.ts'
import { plainClaim } from '../drafts/claims.ts'
import type { Draft } from '../drafts/draft.ts'
import { inheritedBy, typeSource } from '../rows/effective-properties.ts'
import type { TypeSource } from '../rows/property.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import { addCount, type LoadState, summed } from '../state.ts'
import { keepClaims } from '../store/claims.ts'
import { findAssortmentItems, findByIds, findByKey, findProjectItems } from '../store/existing.ts'
import { type Load, readLoad } from '../store/loads.ts'
import { fills, type Home, isUnrecorded, type LoadTarget, targetsOf } from '../targets.ts'
import { type OtherRows, readOtherRows } from './other-rows.ts'
import { pastSkipped } from './settle.ts'
import { type Found, type LaterWrite, Planner, type WritePlan } from './write-plan.ts'

const PLANS_MAX = 3

export async function write(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const staging = stagingOf(scope, load)
  const types = typeSource(await staging.readTypes())
  const { chunks } = load.state
  let upcoming = load.state.chunk < chunks ? staging.readChunk(load.state.chunk) : undefined
  while (upcoming) {
    const { rows, drafts, unchanged = 0, areNew = false } = await upcoming
    const { chunk } = load.state
    const following = pastSkipped(load.state, chunk + 1)
    upcoming = following < chunks ? staging.readChunk(following) : undefined
    upcoming?.catch(() => undefined)
    while (load.state.chunk === chunk) {
      const { state } = load
      const end = state.part + scope.bounds.commitMaxEntities
      const some = drafts.slice(state.part, end)
      const place =
        end < drafts.length
          ? { part: end }
          : {
              chunk: following,
              part: 0,
              rowsWritten: state.rowsWritten + rows,
              results: withUnchanged(state, unchanged),
            }
      load = await writePart(scope, load, { drafts: some, areNew }, { ...state, ...place }, types)
      if (!(await mayGoOn())) return load
    }
  }
  return advance(scope, load, { ...load.state, phase: 'spreading', pass: 0, cursor: '', part: 0 })
}

/** Where the writing begins: what was skipped is done. */
export function beginningOf(state: LoadState): Pick<LoadState, 'chunk' | 'rowsWritten' | 'results'> {
  const { rows, unchanged } = state.skipped
  return { chunk: pastSkipped(state, 0), rowsWritten: rows, results: withUnchanged(state, unchanged) }
}

/** Those that no draft is left of. */
function withUnchanged({ results, configuration }: LoadState, unchanged: number): LoadState['results'] {
  const [{ name }] = targetsOf(configuration)
  const sum = structuredClone(results)
  if (unchanged > 0) addCount(sum, name, 'unchanged', unchanged)
  return sum
}

async function writePart(
  scope: LoadScope,
  load: Load,
  { drafts, areNew }: { drafts: readonly Draft[]; areNew: boolean },
  state: LoadState,
  types: TypeSource,
): Promise<Load> {
  const others = await readOtherRows(scope.db, load, drafts)
  for (let plans = 1; ; plans++) {
    // Who made one of them in the meantime is found by the second try.
    const found = areNew && plans === 1 ? NONE_FOUND : await findAll(scope, load, others.drafts, types)
    const plan = await planPart(scope, load, others, types, found)
    const next = {
      ...state,
      results: summed(state.results, plan.results),
      unrecorded: state.unrecorded + plan.unrecorded,
    }
    if (state.configuration.dryRun) return advance(scope, load, next)
    try {
      return await advance(scope, load, next, { writes: plan.writes, statements: laterStatements(load, plan.later) })
    } catch (error) {
      const isOvertaken = error instanceof Fault && (error.code === 'duplicate' || error.code === 'not_found')
      if (!isOvertaken || plans === PLANS_MAX) throw error
    }
  }
}

function laterStatements({ id: loadId }: Load, later: readonly LaterWrite[]) {
  const claims = later.map(({ key, line, id, patch }) => plainClaim('later', key, line, { id, patch }))
  return keepClaims(loadId, claims)
}

const NONE_FOUND: Found = { main: new Map(), left: new Map(), projectItems: new Map(), members: new Map() }

async function planPart(
  scope: LoadScope,
  load: Load,
  others: OtherRows,
  types: TypeSource,
  found: Found,
): Promise<WritePlan> {
  const { configuration, projectId } = load.state
  const rules = {
    projectId,
    makesProjectItems: fills(configuration, 'projectId'),
    isExport: isExport(configuration),
    isUnrecorded: (target: LoadTarget) => isUnrecorded(target, configuration),
    isDryRun: configuration.dryRun ?? false,
    mode: configuration.mode,
    inheritedBy: (typePath: string) => inheritedBy(types, typePath),
    wordsFor: others.wordsFor,
    isAdded: others.isAdded,
  }
  try {
    return new Planner(found, rules).add(others.drafts)
  } catch (error) {
    // What a late worker misses, another has seen to.
    const now = await readLoad(scope.db, scope.org.id, load.id)
    throw now?.step === load.step ? error : new StepSuperseded()
  }
}

async function findAll(scope: LoadScope, { state }: Load, drafts: readonly Draft[], types: TypeSource): Promise<Found> {
  const { db, org } = scope
  const [own] = targetsOf(state.configuration)
  const first = drafts.find(({ target }) => target === own)
  const federatedScope = first ? scopeOf(first) : own.name
  const keys = new Set(drafts.flatMap(({ key, family }) => (family === undefined ? [key] : [key, family])))
  const moved = new Set(drafts.flatMap(({ movedFrom }) => movedFrom || []))
  const [main, left] = await Promise.all([
    findByKey(db, org.id, federatedScope, [...keys]),
    moved.size > 0 ? findByIds(db, org.id, [...moved]) : new Map(),
  ])
  // What options have from their families is taken from the family in the same project or assortment.
  const itemsOf = ({ target, key, family, movedFrom }: Draft): string[] => {
    const inherits = inheritedBy(types, target.name).length > 0
    const families = inherits ? [family === undefined ? undefined : main.get(family)?.id, movedFrom] : []
    return [main.get(key)?.id, ...families].filter(id => id !== undefined)
  }
  const draftsIn = (home: Home) => drafts.filter(({ target }) => target.home === home)
  const members = draftsIn('assortmentId')
  const pairs = members.flatMap(draft => itemsOf(draft).map(itemId => [draft.assortmentId ?? '', itemId] as const))
  const seasonal = [...draftsIn('projectId').flatMap(itemsOf), ...members.flatMap(({ key }) => main.get(key)?.id ?? [])]
  const [projectItems, found] = await Promise.all([
    state.projectId === null ? new Map() : findProjectItems(db, org.id, state.projectId, [...new Set(seasonal)]),
    findAssortmentItems(db, org.id, pairs),
  ])
  return { main, left, projectItems, members: found }
}
