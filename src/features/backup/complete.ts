// The end of a restore: everything is compared, what an archive cannot hold is set going again, and the organization is let in.

import type { OpenContext } from '../../platform/context.ts'
import { FIRST_PLACE } from '../../platform/db/placement.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { allKinds, type Kind } from '../../platform/kind.ts'
import { RESTORE_STEP_ENTITIES } from '../../platform/limits.ts'
import { wakeSearch } from '../../platform/wake/search.ts'
import { keepWatch } from '../../platform/wake/watch.ts'
import { auditRow, OPERATOR } from '../audit/entry.ts'
import { forgetOrganization } from '../auth/authenticate.ts'
import { FILE } from '../files/kind.ts'
import { forgetActivity } from '../organizations/service.ts'
import { indexesAsMarked } from '../types/marks-store.ts'
import type { Clock } from './lines.ts'
import type { Notes } from './notes.ts'
import { notesOf, restoreNamed, shownRestore, stepped } from './restore.ts'
import * as store from './store/restores.ts'

const SHOWN_MAX = 10

export async function complete(context: OpenContext, id: string, asked: string | undefined) {
  const row = await restoreNamed(context, id)
  if (row.state === 'complete') return shownRestore(row)
  const slug = asked ?? row.slug
  if (row.state === 'receiving') return compared(context, row, slug)
  const notes = notesOf(row)
  const revived = await reviveSome(context.env, { id: row.orgId, slug }, notes)
  return revived
    ? stepped(context.env, row, { notes: JSON.stringify({ ...notes, revived }), slug, touchedOn: context.now }, [])
    : finished(context, row, slug, notes)
}

/** Whether all of the archive has come, and has become what it tells of. */
async function compared(context: OpenContext, row: store.RestoreRow, slug: string) {
  const { env, now } = context
  const notes = notesOf(row)
  const { clock, organization, end } = notes.told
  if (!organization || !end || row.digest !== row.expectedDigest) {
    throw new Fault('conflict', `The archive is not whole yet: the next part is number ${row.nextPart}.`)
  }
  const counts = await store.countEntities(env, row.orgId)
  const recorded = allKinds().filter(kind => kind.recorded)
  const found = recorded.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0)
  if (clock && found !== clock.entities) {
    throw new Fault('conflict', `There are ${found} entities, and should be ${clock.entities}: the archive is damaged.`)
  }
  const lacking = await store.filesWithoutContent(env, row.orgId, FILE.name, SHOWN_MAX)
  if (lacking.length) {
    throw new Fault('conflict', `The contents of files have not come: ${lacking.join(', ')}.`, {
      members: { files: lacking },
    })
  }
  const clockRow = clock ? [store.setClock(clockOf(row.orgId, clock, notes))] : []
  return stepped(env, row, { state: 'completing', slug, touchedOn: now }, [...clockRow, ...indexesAsMarked(row.orgId)])
}

function clockOf(orgId: string, clock: Clock, { shifts, isShifted }: Notes): Parameters<typeof store.setClock>[0] {
  const { table: _, ...row } = clock
  const shift = shifts.changes ?? 0
  return {
    ...row,
    orgId,
    // Keys from before mean other records now: whoever has one is told to begin anew.
    historyFloor: isShifted ? clock.historyFloor + shift : clock.historyFloor,
    // All records come back as rows; files are made of them again (N58).
    filedSeq: 0,
    typesSeq: 0,
    dispatchedSeq: clock.dispatchedSeq === null ? null : clock.dispatchedSeq + shift,
    commits: clock.commits + 1,
    state: 'open',
    epoch: FIRST_PLACE.epoch,
    moveStep: 0,
  }
}

type Revived = { id: string; slug: string }
type Reviving = { kind: Kind; status: string; revive: NonNullable<Kind['revive']> }

const reviving = (): Reviving[] =>
  allKinds().flatMap(kind => {
    const { revive } = kind
    return revive ? revive.statuses.map(status => ({ kind, status, revive })) : []
  })

/** Where the next call goes on; undefined: all of them are going. Doing the same again does no harm. */
async function reviveSome(env: Env, org: Revived, { revived }: Notes): Promise<Notes['revived'] | undefined> {
  const list = reviving()
  let { at, afterSeq } = revived
  for (let done = 0; at < list.length; ) {
    const { kind, status, revive } = list[at] as Reviving
    const room = RESTORE_STEP_ENTITIES - done
    const rows = await store.rowsOf(env, org.id, kind.name, status, afterSeq, room)
    if (rows.length) await revive.act(env, org, rows)
    done += rows.length
    if (rows.length < room) [at, afterSeq] = [at + 1, 0]
    else return { at, afterSeq: rows.at(-1)?.seq ?? 0 }
  }
  return undefined
}

async function finished(context: OpenContext, row: store.RestoreRow, slug: string, notes: Notes) {
  const { env, now } = context
  const { table: _, ...told } = notes.told.organization ?? { table: undefined, historyArchiveDays: null }
  const historyArchiveDays = told.historyArchiveDays ?? null
  const org = { ...told, historyArchiveDays, slug, ...(notes.isSuspended && { suspendedOn: now }) }
  const detail = { slug, restoreId: row.id }
  const event = auditRow(context, { orgId: row.orgId, action: 'organization_restored', actor: OPERATOR, detail })
  const done = store.letIn(row.orgId, org, event)
  const shown = await stepped(env, row, { state: 'complete', slug, touchedOn: now }, done)
  forgetOrganization(row.orgId)
  forgetActivity(row.orgId)
  await Promise.all([wakeSearch(env, row.orgId), keepWatch(env, row.orgId)])
  return shown
}
