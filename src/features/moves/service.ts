// Verbs of moves (N57): begin one, look at it, give it up.
import type { OpenContext } from '../../platform/context.ts'
import { directory } from '../../platform/db/client.ts'
import { databasesOf, forgetPlace } from '../../platform/db/placement.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { OPERATOR } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { databases } from '../operator/databases.ts'
import { organization } from '../organizations/service.ts'
import type { OrgRow } from '../organizations/store.ts'
import type { BeginMove } from './contract.ts'
import { wakeMove, watchMove } from './job.ts'
import { NEW_NOTES, type Notes, percentOf } from './notes.ts'
import { giveUp } from './step.ts'
import { wakeMoveNow } from './store/jobs.ts'
import { findMove, insertMove, type MoveRow } from './store/moves.ts'

const ENDED = ['complete', 'cancelled', 'failed'] as const

export function shownMove({ slug }: Pick<OrgRow, 'slug'>, move: MoveRow) {
  const notes = JSON.parse(move.notes) as Notes
  const { total, copied, compared, followed, tables, stoppedMs } = notes
  return {
    id: move.id,
    organization: slug,
    from: move.source,
    to: move.target,
    state: ENDED.find(state => state === move.phase) ?? ('moving' as const),
    phase: move.phase,
    percent: percentOf(move.phase, notes),
    rows: { total, copied, compared, followed },
    tables,
    stoppedMs,
    startedOn: timeText(move.startedOn),
    touchedOn: timeText(move.touchedOn),
    endedOn: move.endedOn === null ? null : timeText(move.endedOn),
    error: move.error,
  }
}

export async function begin(context: OpenContext, slug: string, { database }: BeginMove) {
  const { env, now } = context
  const org = await organization(context, slug)
  const known = await findMove(env, org.id)
  // The first time it began, but whoever asked has not been told.
  if (known && known.id === context.repeatId) return reported(context, org, known)
  const names = [...databasesOf(env).keys()]
  if (!names.includes(database)) {
    throw invalid([{ path: '/database', message: `There is no such database. There are ${names.join(', ')}.` }])
  }
  if (known && known.endedOn === null) return goOn(context, org, known, database)
  if (org.database === database) throw new Fault('conflict', `The organization is in ${database} already.`)
  await checkRoom(context, database)
  const row: MoveRow = {
    orgId: org.id,
    id: context.repeatId ?? newId(),
    source: org.database,
    target: database,
    epoch: org.epoch,
    phase: 'clearing',
    step: 1,
    notes: JSON.stringify(NEW_NOTES),
    error: null,
    startedOn: now,
    touchedOn: now,
    stoppedOn: null,
    endedOn: null,
  }
  await watchMove(env, org.id)
  const begun = await insertMove(env, row)
  if (!begun) throw new Fault('conflict', 'Another move of this organization has just begun. Look at it.')
  forgetPlace(org.id)
  const detail = { from: row.source, to: row.target }
  await recordAudit(context, {
    orgId: org.id,
    action: 'organization_move_begun',
    actor: OPERATOR,
    subjectId: row.id,
    detail,
  })
  await wakeMove(env, org.id)
  return shownMove(org, begun)
}

async function goOn(context: OpenContext, org: OrgRow, known: MoveRow, database: string) {
  if (known.phase === 'undoing') {
    throw new Fault('unavailable', 'The last move is being undone. Try again.', { headers: { 'Retry-After': '1' } })
  }
  if (known.target !== database) {
    throw new Fault('conflict', `The organization is on its way to ${known.target}. Cancel that first, or wait.`)
  }
  return reported(context, org, known)
}

/** Who asks again is told how far it is; it is woken, should it stand still. */
async function reported({ env }: OpenContext, org: OrgRow, move: MoveRow) {
  if (move.endedOn === null) {
    await wakeMove(env, org.id)
  }
  return shownMove(org, move)
}

async function checkRoom(context: OpenContext, database: string): Promise<void> {
  const { results } = await databases(context)
  const target = results.find(({ name }) => name === database)
  if (target?.state === 'open') return
  const detail = `${database} takes no organization: it is ${target?.state}. ${target?.warning ?? ''}`.trim()
  if (target?.state === 'filling') throw new Fault('conflict', detail)
  throw new Fault('unavailable', detail, { headers: { 'Retry-After': '30' } })
}

export async function look(context: OpenContext, slug: string) {
  const org = await organization(context, slug)
  const move = await findMove(context.env, org.id)
  if (!move) throw notFound('move')
  return shownMove(org, move)
}

export async function cancel(context: OpenContext, slug: string) {
  const { env } = context
  const org = await organization(context, slug)
  for (;;) {
    const move = await findMove(env, org.id)
    if (!move) throw notFound('move')
    const notes = JSON.parse(move.notes) as Notes
    // What is being undone is as good as over.
    const isUndoing = move.phase === 'undoing'
    const outcome = isUndoing ? notes.outcome : move.phase
    if (outcome === 'cancelled') return shownMove(org, move)
    if (isUndoing || move.endedOn !== null) throw new Fault('conflict', `The move is over: it is ${outcome}.`)
    if (move.phase === 'opening') throw new Fault('conflict', `The organization is in ${move.target} already.`)
    // A step may have been done in between.
    const given = await giveUp(env, move, notes, 'cancelled', null)
    if (!given) continue
    await directory(env).batch([wakeMoveNow(org.id)])
    await wakeMove(env, org.id)
    return shownMove(org, given)
  }
}
