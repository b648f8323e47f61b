// Brings an organization back from an archive (N63): a sequence of parts, each taken once and in order, in a transaction of its own.
// Whatever dies in between, the same archive goes on where it stopped. Nobody gets in before everything has been compared.

import type { OpenContext } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import { ID_TAKEN, PLACE_TAKEN } from '../../platform/db/commit/restored-rows.ts'
import { DIRECTORY } from '../../platform/db/placement.ts'
import { RANGES_MAX, rangeBehind, rangeIn, takeRange } from '../../platform/db/positions.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { ID_PATTERN, newId } from '../../platform/ids.ts'
import { RESTORE_KEPT_DAYS } from '../../platform/limits.ts'
import { sweepOrganization } from '../operator/sweep.ts'
import { findOrg } from '../organizations/store.ts'
import type { BeginRestore } from './contract.ts'
import { type Notes, newNotes } from './notes.ts'
import { partRows } from './part-rows.ts'
import { type ArchivedName, archived, ORDERED } from './store/archived-tables.ts'
import * as store from './store/restores.ts'

const DAY_MS = 24 * 3600 * 1000
/** Places that others may take while a restore begins. */
const ROOM = 10_000
/**
 * Change records that the place it comes from may have given out after the archive was made. Pollers hold keys up to there: what is
 * written here must come behind all of them, or they would never see it (N25).
 */
const RECORDS_SINCE = 2 ** 32

export const notesOf = (row: store.RestoreRow) => JSON.parse(row.notes) as Notes

export function shownRestore(row: store.RestoreRow) {
  const { isShifted, leftOut } = notesOf(row)
  return {
    id: row.id,
    organizationId: row.orgId,
    slug: row.slug,
    state: row.state,
    nextPart: row.nextPart,
    isShifted,
    leftOut,
    createdOn: timeText(row.createdOn),
    touchedOn: timeText(row.touchedOn),
  }
}

export async function restoreNamed({ env }: OpenContext, id: string): Promise<store.RestoreRow> {
  const found = await store.findRestore(env, id)
  if (!found) throw notFound('restore')
  return found
}

export async function begin(context: OpenContext, body: BeginRestore) {
  const { env, now } = context
  const { end, digest, positions } = body
  const orgId = end.organizationId
  if (!ID_PATTERN.test(orgId)) throw invalid([{ path: '/end/organizationId', message: 'This is no id.' }])
  const isShifted = positions === 'shift'
  const slug = body.slug ?? end.slug
  const known = await store.restoreOf(env, orgId)
  if (known && known.state !== 'complete') return goOn(context, known, body)
  await checkRoom(context, orgId, slug)
  const taken = await store.highestPlaces(env)
  const highest = (name: ArchivedName) => end.highest[name] ?? 0
  const handedOut = (name: ArchivedName) => highest(name) + (name === 'changes' ? RECORDS_SINCE : 0)
  const shiftOf = (name: ArchivedName) => (isShifted ? Math.max(taken[name] ?? 0, handedOut(name)) + ROOM : 0)
  const shifts = Object.fromEntries(ORDERED.map(name => [name, shiftOf(name)]))
  const last = (name: ArchivedName) => (isShifted ? shiftOf(name) + highest(name) : handedOut(name))
  await ensureAbove(context, last)
  const places = ORDERED.flatMap(name => (last(name) > (taken[name] ?? 0) ? [[name, last(name)] as const] : []))
  const row: store.RestoreRow = {
    id: newId(),
    orgId,
    slug,
    state: 'receiving',
    nextPart: 0,
    digest: '',
    expectedDigest: digest,
    notes: JSON.stringify(newNotes({ shifts, isShifted, highest: end.highest, isSuspended: body.suspended ?? false })),
    createdOn: now,
    touchedOn: now,
  }
  try {
    await store.beginRestore(env, row, places)
  } catch (error) {
    if (!isAbout(error, 'UNIQUE constraint')) throw error
    throw new Fault('unavailable', 'Another restore, or another writer, was faster. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  }
  return shownRestore(row)
}

/**
 * Positions that another database gives out, here or where the archive comes from, are above those that this one may give out. Whatever
 * an archive says, half of the ranges that are left stay for others.
 */
async function ensureAbove({ env }: OpenContext, last: (name: ArchivedName) => number): Promise<void> {
  const rangeFor = (name: ArchivedName) => rangeBehind(archived(name).table, last(name))
  const most = ((await rangeIn(env)) + RANGES_MAX) / 2
  const tooFar = ORDERED.filter(name => rangeFor(name) > most)
  if (tooFar.length) {
    const message = 'This is too far above the places that are taken here.'
    throw invalid(tooFar.map(name => ({ path: `/end/highest/${name}`, message })))
  }
  const range = Math.max(...ORDERED.map(rangeFor))
  if (range > 0 && range > (await rangeIn(env, DIRECTORY))) await takeRange(env, DIRECTORY, range)
}

/** What it is to be called, and whether it stays suspended, may be said anew until it is complete; what is not said stays as it was. */
async function goOn({ env, now }: OpenContext, known: store.RestoreRow, body: BeginRestore) {
  const notes = notesOf(known)
  const { slug = known.slug, suspended: isSuspended = notes.isSuspended } = body
  const isOther = known.expectedDigest !== body.digest
  if (isOther || notes.isShifted !== (body.positions === 'shift')) {
    const which = isOther ? 'from another archive' : `with positions=${notes.isShifted ? 'shift' : 'keep'}`
    const detail = `A restore of this organization ${which} is under way. Give it up first: ${known.id}.`
    throw new Fault('conflict', detail, { members: { restoreId: known.id } })
  }
  if (slug === known.slug && isSuspended === notes.isSuspended) return shownRestore(known)
  if (slug !== known.slug) await checkSlug(env, slug)
  return stepped(env, known, { slug, notes: JSON.stringify({ ...notes, isSuspended }), touchedOn: now }, [])
}

/** Its id and its slug must be free; what an earlier deletion has left of it is swept first. */
async function checkRoom({ env }: OpenContext, orgId: string, slug: string): Promise<void> {
  const present = await store.orgWith(env, orgId)
  if (present && present.deletedOn === null) {
    const way = 'Delete it first, after a backup, or restore into another deployment.'
    throw new Fault('duplicate', `The organization is here already, as ${present.slug}. ${way}`)
  }
  await checkSlug(env, slug)
  if (!present) return
  await sweepOrganization(env, orgId)
  if (!(await store.orgWith(env, orgId))) return
  throw new Fault('unavailable', 'What was left of the organization is still being removed. Try again.', {
    headers: { 'Retry-After': '5' },
  })
}

async function checkSlug(env: Env, slug: string): Promise<void> {
  if (!(await findOrg(env, slug))) return
  const message = 'Another organization has this slug. Choose another one.'
  throw new Fault('duplicate', message, { errors: [{ path: '/slug', message }] })
}

const isAbout = (error: unknown, message: string) => error instanceof Error && error.message.includes(message)

/** The row, where it is this part's turn; undefined where it was taken already. */
export function turnOf(row: store.RestoreRow, part: number): store.RestoreRow | undefined {
  if (row.state !== 'receiving') throw new Fault('conflict', `The restore is ${row.state}; it takes no more parts.`)
  if (part < row.nextPart) return undefined
  if (part === row.nextPart) return row
  throw new Fault('conflict', `The next part is number ${row.nextPart}.`, { members: { nextPart: row.nextPart } })
}

export async function takeRows(context: OpenContext, id: string, part: number, text: string) {
  const { env, now } = context
  const row = turnOf(await restoreNamed(context, id), part)
  if (!row) return shownRestore(await restoreNamed(context, id))
  const { statements, notes, digest } = await partRows({ env, orgId: row.orgId, notes: notesOf(row) }, text, row.digest)
  return stepped(env, row, { nextPart: part + 1, digest, notes: JSON.stringify(notes), touchedOn: now }, statements)
}

/** Makes a step of a restore, and shows it as it is then. */
export async function stepped(env: Env, row: store.RestoreRow, moved: store.Moved, statements: readonly Statement[]) {
  try {
    await store.step(env, row, moved, statements)
  } catch (error) {
    throw refusalOf(error)
  }
  return shownRestore({ ...row, ...moved })
}

/** Why a step was refused by the database. */
function refusalOf(error: unknown): unknown {
  if (isAbout(error, store.OUT_OF_TURN))
    return new Fault('conflict', 'Another call went on with this restore meanwhile. Look at it again.')
  if (isAbout(error, 'orgs.slug')) {
    const message = 'Another organization has taken this slug. Complete with another one.'
    return new Fault('duplicate', message, { errors: [{ path: '/slug', message }] })
  }
  if (isAbout(error, PLACE_TAKEN) || isAbout(error, '.seq')) {
    const detail =
      'Records of other organizations have the places of some of these. Give the restore up and begin with positions=shift.'
    return new Fault('conflict', detail, { members: { positions: 'shift' } })
  }
  if (isAbout(error, ID_TAKEN) || isAbout(error, 'UNIQUE constraint')) {
    return new Fault(
      'duplicate',
      'Something of the same id, or of the same digest, is here already, in another organization.',
    )
  }
  if (isAbout(error, 'constraint failed')) {
    return invalid([{ path: '', message: 'A row of the page lacks a value, or is too large.' }])
  }
  return error
}

/** Everything that was sent goes with it. */
export async function abandon(context: OpenContext, id: string): Promise<void> {
  const row = await restoreNamed(context, id)
  if (row.state === 'complete') throw new Fault('conflict', 'The organization has been let in; delete it instead.')
  try {
    await store.giveUpRestore(context.env, row, context.now)
  } catch (error) {
    throw refusalOf(error)
  }
  context.defer(sweepOrganization(context.env, row.orgId))
}

const RESTORES_A_SWEEP = 100

export async function sweepRestores(env: OpenContext['env'], now: number): Promise<void> {
  for (const row of await store.staleRestores(env, now - RESTORE_KEPT_DAYS * DAY_MS, RESTORES_A_SWEEP)) {
    try {
      await store.giveUpRestore(env, row, now)
    } catch (error) {
      // Somebody went on with it after all.
      if (!isAbout(error, store.OUT_OF_TURN)) throw error
    }
  }
}
