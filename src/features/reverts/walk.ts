// Goes through the records to take back, newest first: what was made last must go first. Each entity is dealt with once,
// and what is done already is seen to be: a step that is repeated changes nothing.
import { REVERT_STEP_MAX_FILES } from '../../platform/db/limits.ts'
import { findKind, type Kind } from '../../platform/kind.ts'
import {
  REVERT_ENTITY_MAX_BYTES,
  REVERT_ENTITY_MAX_RECORDS,
  REVERT_MAX_PASSES,
  REVERT_STEP_MAX_BYTES,
  REVERT_WINDOW_RECORDS,
} from '../../platform/limits.ts'
import type { LoadScope } from '../loads/checkpoint.ts'
import { apply, Overtaken, shapeFaults, type Task, withWritten } from './apply.ts'
import { advance } from './checkpoint.ts'
import type { RevertIssue, RevertReason } from './contract.ts'
import { type Action, afterwards, type EntityPlan, planEntity } from './entity-plan.ts'
import { issuesOf } from './issue-store.ts'
import { matches, type Recorded, type Selection } from './selection.ts'
import { counted, nextPass, type Revert, type RevertState, withIssues } from './state.ts'
import { type Holder, takenByOthers, usedByOthers } from './store/others.ts'
import {
  type EntityKey,
  type History,
  historiesOf,
  type Met,
  recordsBefore,
  selectionsOf,
  sizesOf,
} from './store/recorded.ts'

const TRIES = 5

export async function walkBack(scope: LoadScope, given: Revert, mayGoOn: () => Promise<boolean>): Promise<Revert> {
  let revert = given
  while (revert.state.phase === 'reverting') {
    revert = await stepBack(scope, revert)
    if (!(await mayGoOn())) return revert
  }
  return revert
}

async function stepBack(scope: LoadScope, given: Revert): Promise<Revert> {
  const { state } = given
  const { selection, source } = state
  const limit = Math.min(REVERT_WINDOW_RECORDS, scope.bounds.chunkMaxRows)
  const before = state.cursor ?? (source === 'changes' ? selection.lastSeq + 1 : Number.MAX_SAFE_INTEGER)
  const { met, isLast } = await recordsBefore(scope.env, scope.db, scope.org.id, selection, source, before, limit)
  const wanted = met.filter(record => matches(selection, record))
  const { revert, taken, issues, seen } = await takeBack(scope, given, wanted)
  // What there was not room for is met again.
  const isAll = taken === wanted.length
  const last = isAll ? met.at(-1) : wanted[taken - 1]
  const isOver = isAll && isLast
  const moved = {
    ...revert.state,
    cursor: last?.seq ?? state.cursor,
    changesDone: state.changesDone + taken,
    seen,
    hasRefused: revert.state.hasRefused || issues.some(({ reason }) => MAY_PASS.has(reason)),
  }
  if (issues.length > 0) await issuesOf(scope, revert).write(state.pass, state.issueParts, issues)
  const next = withIssues(moved, issues)
  // A dry run has put nothing down yet.
  return advance(scope, state.dryRun ? given : revert, isOver ? endOfSource(next) : next)
}

/** What may stand against a write only until the rest is taken back. */
const MAY_PASS: ReadonlySet<RevertReason> = new Set(['in_use', 'duplicate', 'reference_gone'])

function endOfSource(state: RevertState): RevertState {
  if (state.source === 'aside') return { ...state, source: 'changes', cursor: null }
  const isWorthAnother = state.hasRefused && state.hasWritten && !state.dryRun && state.pass < REVERT_MAX_PASSES
  return isWorthAnother ? nextPass(state) : { ...state, phase: 'publishing' }
}

interface Step {
  revert: Revert
  /** How many of the records have been dealt with. */
  taken: number
  issues: RevertIssue[]
  seen: RevertState['seen']
}

async function takeBack(scope: LoadScope, given: Revert, wanted: readonly Met[]): Promise<Step> {
  for (let tries = 1; ; tries++) {
    try {
      return await takeBackOnce(scope, given, wanted)
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === TRIES) throw error
    }
  }
}

async function takeBackOnce(scope: LoadScope, given: Revert, wanted: readonly Met[]): Promise<Step> {
  const { state } = given
  const { keys, taken, tooLarge } = await room(scope, state.selection, wanted)
  const histories = await historiesOf(scope.env, scope.db, scope.org.id, state.selection, keys)
  const isInStep = stepOf(wanted.slice(0, taken))
  const plans = await plansOf(scope, given, histories)
  const issues: RevertIssue[] = tooLarge.map(key => issueOf(key, null, 'too_many_changes'))
  let { seen } = state
  for (const [type] of tooLarge) seen = counted(seen, type, 'kept')
  const tasks: Task[] = []
  for (const { kind, id, plan, isDone } of plans) {
    if (!isInStep(plan.anchor)) continue
    const { action, left, unrecorded } = plan
    if (action) tasks.push({ kind, id, action, unrecorded })
    else if (left.length > 0) seen = counted(seen, kind.name, 'kept')
    else if (!isDone) seen = counted(seen, kind.name, 'unchanged')
    for (const { property, reason } of left) issues.push(issueOf([kind.name, id], property, reason))
  }
  const { revert, refused } = state.dryRun ? await tried(scope, given, tasks) : await apply(scope, given, tasks)
  for (const { task, reason, message } of refused) {
    seen = counted(seen, task.kind.name, 'kept')
    issues.push(issueOf([task.kind.name, task.id], null, reason, message))
  }
  return { revert, taken, issues, seen }
}

/** Entities of the records, as many as there is room for; those that are too large by themselves are told. */
async function room(scope: LoadScope, selection: Selection, wanted: readonly Pick<Met, 'entityType' | 'entityId'>[]) {
  const bound = scope.bounds.commitMaxEntities
  const found = new Map<string, EntityKey>()
  let taken = 0
  for (const { entityType, entityId } of wanted) {
    if (!found.has(entityId) && found.size === bound) break
    found.set(entityId, [entityType, entityId])
    taken++
  }
  const all = [...found.values()]
  const sizes = all.length ? await sizesOf(scope.db, scope.org.id, selection, all) : []
  const keys: EntityKey[] = []
  const tooLarge: EntityKey[] = []
  const files = new Set<number>()
  let bytes = 0
  for (const [at, key] of all.entries()) {
    const size = sizes[at] ?? { records: 0, bytes: 0, files: [] }
    const isTooMuch = size.records > REVERT_ENTITY_MAX_RECORDS || size.bytes > REVERT_ENTITY_MAX_BYTES
    if (isTooMuch || size.files.length > REVERT_STEP_MAX_FILES) {
      tooLarge.push(key)
      continue
    }
    for (const file of size.files) files.add(file)
    if (keys.length > 0 && (bytes + size.bytes > REVERT_STEP_MAX_BYTES || files.size > REVERT_STEP_MAX_FILES)) {
      const isBeyond = ({ entityId }: Pick<Met, 'entityId'>) => entityId === key[1]
      return { keys, tooLarge, taken: Math.max(1, wanted.findIndex(isBeyond)) }
    }
    bytes += size.bytes
    keys.push(key)
  }
  return { keys, tooLarge, taken }
}

function stepOf(records: readonly Met[]): (anchor: Recorded) => boolean {
  const places = new Set(records.map(({ source, seq }) => `${source} ${seq}`))
  return ({ source, seq }) => places.has(`${source} ${seq}`)
}

interface Planned {
  kind: Kind
  id: string
  plan: EntityPlan
  /** This revert has dealt with it before. */
  isDone: boolean
}

async function plansOf(
  { db, org }: LoadScope,
  { id: own, state }: Revert,
  histories: ReadonlyMap<string, History>,
): Promise<Planned[]> {
  const isMatched = (record: Recorded) => record.createdById !== own && matches(state.selection, record)
  const makers = new Set<string>()
  for (const { records } of histories.values()) {
    for (const record of records) {
      if (record.createdByType === 'loader' && !isMatched(record)) makers.add(record.createdById)
    }
  }
  const selections = makers.size ? await selectionsOf(db, org.id, [...makers]) : new Map<string, Selection>()
  const revertedBy = ({ createdById }: Recorded) => {
    const selection = selections.get(createdById)
    return selection && ((record: Recorded) => record.createdById !== createdById && matches(selection, record))
  }
  return [...histories].flatMap(([id, { records, present }]): Planned[] => {
    const kind = findKind(records[0]?.entityType ?? '')
    const plan = kind && planEntity(records, present, { kind, isMatched, revertedBy })
    return kind && plan ? [{ kind, id, plan, isDone: records.some(({ createdById }) => createdById === own) }] : []
  })
}

/** A dry run counts, and looks who would stand against it: those who refer to what goes, or have the key of what returns. */
async function tried(scope: LoadScope, given: Revert, tasks: readonly Task[]) {
  const { db, org } = scope
  const { selection } = given.state
  const refused = shapeFaults(tasks)
  const unfit = new Set(refused.map(({ task }) => task))
  const refuse = async (some: readonly Task[], reason: RevertReason, holders: readonly Holder[]) => {
    const ids = await heldAfterwards(scope, given, holders)
    for (const task of some)
      if (ids.has(task.id) && !unfit.has(task)) refused.push({ task, reason, message: TEXTS[reason] })
  }
  for (const kind of new Set(tasks.map(task => task.kind))) {
    const goes = tasks.filter(task => task.kind === kind && task.action.op === 'delete')
    const returns = tasks.filter(task => task.kind === kind && task.action.op !== 'delete')
    const ids = goes.map(({ id }) => id)
    const again = returns.map(({ id, action }) => ({ id, data: afterwards(action) }))
    if (ids.length > 0) await refuse(goes, 'in_use', await usedByOthers(db, org.id, selection, kind, ids))
    if (again.length > 0) await refuse(returns, 'duplicate', await takenByOthers(db, org.id, selection, kind, again))
  }
  const out = new Set(refused.map(({ task }) => task))
  const state = withWritten(
    given.state,
    tasks.filter(task => !out.has(task)),
  )
  return { revert: { ...given, state }, refused }
}

/** An entity that this revert deletes, or whose fields it sets, holds nothing afterwards: its last writer may be an earlier revert. */
async function heldAfterwards(scope: LoadScope, given: Revert, holders: readonly Holder[]): Promise<Set<string>> {
  const { env, db, org } = scope
  const { selection } = given.state
  const actions = new Map<string, Action | undefined>()
  let left = holders.map(({ by: [entityType, entityId] }) => ({ entityType, entityId }))
  while (left.length > 0) {
    const { keys, taken } = await room(scope, selection, left)
    const plans = await plansOf(scope, given, await historiesOf(env, db, org.id, selection, keys))
    for (const { id, plan } of plans) actions.set(id, plan.action)
    left = left.slice(taken)
    await scope.alive()
  }
  const holds = ({ by: [, id], fields }: Holder) => {
    const action = actions.get(id)
    if (action?.op === 'update') return !fields.some(field => Object.hasOwn(action.patch, field))
    return action === undefined
  }
  return new Set(holders.filter(holds).map(({ id }) => id))
}

const TEXTS: Record<RevertReason, string> = {
  changed_since: 'Somebody has changed it since.',
  deleted_since: 'Somebody has deleted it since.',
  restored_since: 'It was deleted and made again since.',
  in_use: 'Other entities refer to it.',
  duplicate: 'Another entity has its key.',
  reference_gone: 'What it refers to is gone.',
  does_not_fit: 'It does not fit its type any more.',
  too_many_changes: 'It has been changed too often since.',
}

function issueOf(
  [type, id]: EntityKey,
  property: string | null,
  reason: RevertReason,
  message = TEXTS[reason],
): RevertIssue {
  return { entityReference: `${type}:${id}`, property, reason, message }
}
