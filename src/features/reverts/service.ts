// The verbs of reverts: take a load back, take changes back, cancel (N52).
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { type Entity, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault, type FieldError, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cancelJob, insertJob, readJob } from '../../platform/jobs/store.ts'
import { sendJobs, wakeJobs, watchJobs } from '../../platform/jobs/watchdog.ts'
import { allKinds, findKind } from '../../platform/kind.ts'
import { parseTime } from '../../platform/time-range.ts'
import { getEntity } from '../entities/service.ts'
import { retentionDays } from '../history/store.ts'
import { alreadyOver } from '../loads/already-over.ts'
import { LOADER_PROCESS } from '../loads/kind.ts'
import { LOAD_LANE } from '../loads/lane.ts'
import { oneMoreLoad } from '../loads/store/loads.ts'
import type { RestoreChangesBody } from './contract.ts'
import { REVERT_PROCESS } from './kind.ts'
import type { Selection } from './selection.ts'
import { newRevert, publicFields, type RevertState } from './state.ts'
import { edgesOf, publishedAssortments } from './store/recorded.ts'

export async function revertLoad(context: Context, id: string, dryRun: boolean): Promise<Entity> {
  const load = await getEntity(context, LOADER_PROCESS, id)
  if (load.endedOn === undefined) {
    throw new Fault(
      'conflict',
      `The load has not ended yet: it is ${String(load.status)}. Cancel it, or wait for its end.`,
    )
  }
  if (load.dryRun === true) throw new Fault('conflict', 'The load was a dry run: it has written nothing.')
  const { db, org } = context
  // Between its first record and its last: the process itself was written before and after them.
  const [since, until] = [Date.parse(String(load.createdOn)), Date.parse(String(load.updatedOn))]
  const { firstSeq, lastSeq } = await rangeOf(context, since, until)
  const selection: Selection = {
    createdById: id,
    createdByType: 'loader',
    entityTypes: null,
    entityId: null,
    since,
    until,
    firstSeq,
    lastSeq,
  }
  const publishIds = (load.assortmentPublishChangeIds ?? []) as string[]
  const assortments = publishIds.length ? await publishedAssortments(db, org.id, publishIds) : []
  const data = { name: `Revert of ${String(load.name)}`.slice(0, 512), loaderProcessId: id }
  return begin(context, data, newRevert(selection, dryRun, assortments))
}

export async function restoreChanges(context: Context, body: RestoreChangesBody): Promise<Entity> {
  const { criteria, dryRun = false, name = 'Restore of changes' } = body
  const since = parseTime(body.since)?.first ?? 0
  const until = body.until === undefined ? Number.MAX_SAFE_INTEGER : (parseTime(body.until)?.last ?? 0)
  const { entityTypes, entityId } = entitiesOf(criteria)
  if (until < since) throw invalid([{ path: '/until', message: 'The end lies before the beginning.' }])
  const { firstSeq, lastSeq, time } = await rangeOf(context, since, until)
  if (since > Math.max(time, context.now)) {
    const message = `${timeText(since)} lies in the future: nothing has changed since. A time without a zone is UTC.`
    throw invalid([{ path: '/since', message }])
  }
  const selection: Selection = {
    createdById: criteria.createdById ?? null,
    createdByType: criteria.createdByType ?? null,
    entityTypes,
    entityId,
    since,
    until: Math.min(until, context.now),
    firstSeq,
    lastSeq,
  }
  const shown = { criteria, since: timeText(since), until: timeText(selection.until) }
  return begin(context, { name, ...shown }, newRevert(selection, dryRun, []))
}

function entitiesOf({ entityType, entityReference }: RestoreChangesBody['criteria']) {
  const faults: FieldError[] = []
  const known = (type: string, path: string) => {
    if (findKind(type)?.recorded) return
    const names = allKinds().flatMap(({ name, recorded }) => (recorded ? [name] : []))
    faults.push({ path, message: `"${type.slice(0, 64)}" has no history. There are ${names.join(', ')}.` })
  }
  const types = entityType === undefined ? null : [entityType].flat()
  for (const type of types ?? []) known(type, '/criteria/entityType')
  const [, type, id = null] = /^([^:]+):([^:]+)$/.exec(entityReference ?? '') ?? []
  if (type !== undefined) known(type, '/criteria/entityReference')
  else if (entityReference !== undefined) {
    faults.push({ path: '/criteria/entityReference', message: 'Expected <entityType>:<id>.' })
  }
  if (type !== undefined && types && !types.includes(type)) {
    faults.push({ path: '/criteria/entityReference', message: 'The entity is not of the entity type asked for.' })
  }
  if (faults.length) throw invalid(faults)
  return { entityTypes: type === undefined ? types : [type], entityId: id }
}

/** In commit order. What has been swept cannot be taken back, and half of it shall not be. */
const DAY_MS = 86_400_000

async function rangeOf({ env, db, org, now }: Context, since: number, until: number) {
  const { hasSwept, ...range } = await edgesOf(env, db, org.id, since, until)
  const days = hasSwept ? await retentionDays(env, org.id) : null
  if (hasSwept && (days === null || since < now - days * DAY_MS)) {
    throw new Fault(
      'conflict',
      'The history is kept for a limited time, and what would be taken back is older than that.',
    )
  }
  return range
}

async function begin(context: Context, given: Record<string, unknown>, state: RevertState): Promise<Entity> {
  const { env, org } = context
  const id = newId()
  const { selection, dryRun } = state
  const begun = { ...state, ...(context.chainDepth && { chainDepth: context.chainDepth }) }
  const shown = Object.entries(publicFields(state)).filter(([, value]) => value !== null)
  const data = { typePath: REVERT_PROCESS.name, ...given, dryRun, selection, ...Object.fromEntries(shown) }
  await watchJobs(env, LOAD_LANE, org.id)
  const { rows } = await commit(context, [{ op: 'create', kind: REVERT_PROCESS, id, data }], {
    // They wait in one line with the loads, and in as much of it.
    before: [oneMoreLoad(org.id)],
    after: [insertJob({ id, orgId: org.id, lane: LOAD_LANE, kind: 'revert', state: begun, now: context.now })],
  })
  await sendJobs(env, LOAD_LANE, org.id)
  const [row] = rows
  if (!row) throw new Error('a committed revert did not come back')
  return entityOf(row)
}

export async function cancelReverting(context: Context, id: string): Promise<Entity> {
  const { env, db, org } = context
  if (await cancelJob(db, 'organization', org.id, id)) {
    await wakeJobs(env, LOAD_LANE, org.id)
    return getEntity(context, REVERT_PROCESS, id)
  }
  const over = await readJob(db, 'organization', org.id, id)
  const entity = await getEntity(context, REVERT_PROCESS, id)
  return alreadyOver(context, 'revert', entity, over && (over.state as RevertState).outcome)
}
