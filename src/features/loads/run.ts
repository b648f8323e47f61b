// What a wake-up does: it takes the organization's first load some steps further and asks for the next wake-up. Any
// number of wake-ups may come, at once or never: a step counts only once, and the watch sends what got lost (N34).

import { background } from '../../platform/background.ts'
import { inCompany, letPass } from '../../platform/company/company.ts'
import { type Database, databaseFor } from '../../platform/db/client.ts'
import { StaleTypes } from '../../platform/db/commit/refusal.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { Fault, isBrief } from '../../platform/errors.ts'
import {
  LOAD_CHUNK_BYTES,
  LOAD_CHUNK_IN_COMPANY_ROWS,
  LOAD_CHUNK_MAX_ROWS,
  LOAD_COMMIT_IN_COMPANY_ENTITIES,
  LOAD_COMMIT_MAX_ENTITIES,
  LOAD_MAX_ATTEMPTS,
  LOAD_MAX_FAILURES,
  LOAD_STUCK_MS,
} from '../../platform/limits.ts'
import { paceOf } from '../../platform/pace.ts'
import { sendWakeUp } from '../../platform/wake/message.ts'
import type { WakeUp } from '../../platform/wake/wake-up.ts'
import { loadWatchOf } from '../../platform/wake/watch.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { giveUpReverting, goOnReverting } from '../reverts/run.ts'
import { readTypes } from '../types/store.ts'
import { advance, isEnding, type LoadBounds, LoadMoved, type LoadScope } from './checkpoint.ts'
import { stagingOf } from './chunk.ts'
import type { IssueType } from './contract.ts'
import { Issues } from './issues.ts'
import { clean, forgetWork } from './phases/clean.ts'
import { spread } from './phases/inherit-options.ts'
import { open } from './phases/open.ts'
import { publishAll } from './phases/publish.ts'
import { remove } from './phases/remove-members.ts'
import { report } from './phases/report.ts'
import { validate } from './phases/validate.ts'
import { write } from './phases/write.ts'
import { ownProperties } from './rows/effective-properties.ts'
import { failed, type LoadState, type Phase, withIssues } from './state.ts'
import {
  FAILURE,
  hasLoads,
  isRevert,
  type Load,
  noteFailure,
  type Revert,
  readLoad,
  readQueued,
  takeFirst,
} from './store/loads.ts'
import { isOutdated } from './stored-state.ts'
import { targetsOf } from './targets.ts'

export const BOUNDS: LoadBounds = {
  chunkBytes: LOAD_CHUNK_BYTES,
  chunkMaxRows: LOAD_CHUNK_MAX_ROWS,
  commitMaxEntities: LOAD_COMMIT_MAX_ENTITIES,
}

/** In company the steps are smaller: nobody waits for long until one of them ends. */
function boundsBeside(orgId: string): LoadBounds {
  return {
    chunkBytes: LOAD_CHUNK_BYTES,
    get chunkMaxRows() {
      return inCompany(orgId) ? LOAD_CHUNK_IN_COMPANY_ROWS : LOAD_CHUNK_MAX_ROWS
    },
    get commitMaxEntities() {
      return inCompany(orgId) ? LOAD_COMMIT_IN_COMPANY_ENTITIES : LOAD_COMMIT_MAX_ENTITIES
    },
  }
}

type MayGoOn = () => Promise<boolean>
type PhaseWork = (scope: LoadScope, load: Load, mayGoOn: MayGoOn) => Promise<Load | undefined>

const PHASES: Record<Phase, PhaseWork> = {
  opening: open,
  validating: validate,
  writing: write,
  spreading: spread,
  removing: remove,
  publishing: publishAll,
  reporting: report,
  cleaning: clean,
}

/** Called when there is something to do: now by message, and by the watch until it is done. */
export async function wake(env: Env, orgId: string): Promise<void> {
  await watch(env, orgId)
  await send(env, orgId)
}

export async function send(env: Env, orgId: string): Promise<void> {
  await sendWakeUp(env, wakeUp(orgId))
}

const wakeUp = (orgId: string): WakeUp => ({ kind: 'loads', orgId })

/** Before a load exists: whatever happens to its starter then, somebody comes to look (N34). */
export async function watch(env: Env, orgId: string): Promise<void> {
  await loadWatchOf(env, orgId).watch({ message: wakeUp(orgId), periodMs: paceOf(env).loadWatchMs })
}

export async function workOnLoads(env: Env, orgId: string, bounds = boundsBeside(orgId)): Promise<void> {
  const deadline = Date.now() + paceOf(env).loadBudgetMs
  const alive = heartbeat(env, orgId)
  const mayGoOn = async () => {
    await alive()
    return Date.now() < deadline
  }
  const db = databaseFor(env, orgId)
  if (!(await activeOrganization(env, orgId, Date.now()))) return wait(env, db, orgId)
  let load = await takeFirst(db, orgId)
  if (!load) return rest(env, orgId)
  while (load && (await mayGoOn())) {
    const context = contextOf(env, orgId, load)
    const scope = { ...context, alive, bounds }
    const { id } = load
    try {
      load = await goOn(scope, load, mayGoOn)
      await context.settled()
    } catch (error) {
      if (!(error instanceof LoadMoved)) throw error
      load = await readQueued(db, orgId, id)
      // What this one has put away since then, nobody else would take away but the sweep.
      if (!load) await forgetWork(scope, { id }, mayGoOn)
      // Someone else is at it; a cancelled load has not moved and ends here.
      if (!load?.isCancelled || load.state.outcome !== null || load.state.phase === 'cleaning') return
    }
    load ??= await takeFirst(db, orgId)
  }
  if (load) await wake(env, orgId)
  else await rest(env, orgId)
}

/** Nothing is written in the name of a suspended organization: the watch comes back until it is resumed, or its loads are gone. */
async function wait(env: Env, db: Database, orgId: string): Promise<void> {
  if (!(await hasLoads(db, orgId))) await rest(env, orgId)
}

/** Lets other requests have their turn, and puts the watch off while there is life. */
function heartbeat(env: Env, orgId: string): () => Promise<void> {
  let last = Date.now()
  return async () => {
    await letPass(orgId)
    if (Date.now() - last < paceOf(env).loadBudgetMs) return
    last = Date.now()
    await watch(env, orgId)
  }
}

/** Changes of a load are made by the loader, in the name of the load. */
function contextOf(env: Env, orgId: string, { id, state }: Load | Revert) {
  const context = background(env, { id: orgId, slug: '' }, { id, type: 'loader' })
  return state.chainDepth ? { ...context, chainDepth: state.chainDepth } : context
}

const OUTDATED =
  'The service was updated while this load ran, and it cannot go on. What is written so far stays; load the file again to complete it.'

function isHopeless({ attempts, touchedOn }: Load | Revert): boolean {
  if (attempts >= LOAD_MAX_FAILURES * FAILURE) return true
  return attempts > LOAD_MAX_ATTEMPTS && Date.now() - touchedOn > LOAD_STUCK_MS
}

async function goOn(scope: LoadScope, load: Load | Revert, mayGoOn: MayGoOn): Promise<Load | Revert | undefined> {
  if (isRevert(load)) {
    if (isHopeless(load)) return giveUpReverting(scope, load, 'The revert could not go on.')
    return goOnReverting(scope, load, mayGoOn)
  }
  if (load.isCancelled && !isEnding(load.state)) return cancel(scope, load)
  if (isOutdated(load.state)) return giveUp(scope, load, OUTDATED)
  if (isHopeless(load)) return giveUp(scope, load, 'The load could not go on.')
  try {
    return await PHASES[load.state.phase](scope, load, mayGoOn)
  } catch (error) {
    if (error instanceof LoadMoved) throw error
    if (error instanceof StaleTypes) return readOn(scope, load)
    console.error('load', load.id, load.state.phase, error)
    // A disturbance is no fault of the load: it ends by LOAD_STUCK_MS alone.
    if (isBrief(error)) throw error
    if (error instanceof Fault) return giveUp(scope, load, error.message)
    await noteFailure(scope.db, load)
    throw error
  }
}

/** Types have changed: a load that has nothing to do with them goes on, another could only write what no longer fits. */
async function readOn(scope: LoadScope, given: Load): Promise<Load | undefined> {
  const load = (await readLoad(scope.db, scope.org.id, given.id)) ?? given
  const table = await readTypes(scope.db, scope.org.id)
  const own = JSON.stringify(ownProperties(table, targetsOf(load.state.configuration)))
  const known = JSON.stringify(await stagingOf(scope, load).readTypes())
  if (own === known) return advance(scope, load, { ...load.state, typesStamp: table.stamp })
  const message =
    'The types have changed since the file was read by them. What is written so far stays; load the file again to complete it under the new types.'
  return giveUp(scope, load, message, 'VALIDATION_ERROR')
}

function cancel(scope: LoadScope, load: Load): Promise<Load> {
  const startedOn = load.state.startedOn ?? timeText(scope.now)
  return advance(scope, load, { ...load.state, startedOn, phase: 'reporting', outcome: 'cancelled' }, { endsIt: true })
}

/** What is committed stays; the load says why it went no further. */
async function giveUp(
  scope: LoadScope,
  given: Load,
  message: string,
  issueType: IssueType = 'SYSTEM_ERROR',
): Promise<Load | undefined> {
  const load = (await readLoad(scope.db, scope.org.id, given.id)) ?? given
  const { state } = load
  if (state.phase === 'cleaning') return clean(scope, load, async () => true)
  if (isEnding(state)) {
    const ended = { ...state, endedOn: timeText(scope.now), phase: 'cleaning' } satisfies LoadState
    return advance(scope, load, ended, { endsIt: true })
  }
  const issues = new Issues()
  issues.error(0, null, issueType, message)
  const chunk = state.chunks + 2
  await stagingOf(scope, load).writeIssues(chunk, issues.list)
  const isWriting = state.phase !== 'opening' && state.phase !== 'validating'
  const next = failed(withIssues(state, issues, chunk), isWriting ? 'TRANSFORMING_DATA' : 'VALIDATING_DATA')
  return advance(
    scope,
    load,
    { ...next, startedOn: state.startedOn ?? timeText(scope.now), isReadable: false },
    { endsIt: true },
  )
}

/** The queue has given up a wake-up: so is the load that it was for, unless that has moved since. */
export async function giveUpFirst(env: Env, orgId: string): Promise<void> {
  const db = databaseFor(env, orgId)
  const load = await takeFirst(db, orgId)
  if (load && load.attempts >= FAILURE) {
    const scope = { ...contextOf(env, orgId, load), alive: heartbeat(env, orgId), bounds: BOUNDS }
    if (isRevert(load)) await giveUpReverting(scope, load, 'The revert failed again and again.')
    else await giveUp(scope, load, 'The load failed again and again.')
  }
  if (load) await wake(env, orgId)
}

async function rest(env: Env, orgId: string): Promise<void> {
  await loadWatchOf(env, orgId).rest()
  // A load that was started in between has lost its watch.
  if (await hasLoads(databaseFor(env, orgId), orgId)) await wake(env, orgId)
}
