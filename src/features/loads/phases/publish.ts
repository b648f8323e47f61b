// The two phases of a load that serve its publish (N33): before the first write the members of each assortment are put
// down as its baseline, and after the last one the assortments are published that the load has changed.

import { publishWork, writeList } from '../../assortments/publish.ts'
import { changePages, memberPages } from '../../assortments/store.ts'
import { idFor } from '../../files/report-file.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import type { LoadState } from '../state.ts'
import type { Load } from '../store/loads.ts'
import { countChanges } from '../store/members.ts'

function publishes({ configuration }: LoadState): boolean {
  const { loadType, shouldSkipAssortmentPublish, dryRun } = configuration
  return loadType.includes('ASSORTMENT') && !shouldSkipAssortmentPublish && !dryRun
}

/** Long lists are written in one step. */
async function* attended<T>(scope: LoadScope, pages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const page of pages) {
    yield page
    await scope.alive()
  }
}

export async function recall(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  while (publishes(load.state) && load.state.at < load.state.assortments.length) {
    const { state } = load
    const assortmentId = state.assortments[state.at] ?? ''
    const members = attended(scope, memberPages(scope.db, scope.org.id, assortmentId))
    const { id, write } = await writeList(scope, `${load.id} ${assortmentId} baseline`, 'baseline', members)
    const baselines = { ...state.baselines, [assortmentId]: id }
    load = await advance(scope, load, { ...state, baselines, at: state.at + 1 }, { writes: [write] })
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'writing', at: 0 })
}

export async function publishAll(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  while (publishes(load.state) && load.state.at < load.state.assortments.length) {
    load = await publishOne(scope, load, load.state.assortments[load.state.at] ?? '')
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'reporting', outcome: 'completed' })
}

async function publishOne(scope: LoadScope, load: Load, assortmentId: string): Promise<Load> {
  const { state } = load
  const next = { ...state, at: state.at + 1 }
  const counted = await countChanges(scope.db, load.id, assortmentId)
  if (counted.adds + counted.updates + counted.deletes === 0) return advance(scope, load, next)
  const purpose = `${load.id} ${assortmentId}`
  const list = (name: string, change: string) => {
    const pages = changePages(scope.db, { orgId: load.orgId, loadId: load.id, assortmentId, change })
    return writeList(scope, `${purpose} ${name}`, name, attended(scope, pages))
  }
  const written = {
    adds: await list('adds', 'add'),
    updates: await list('updates', 'update'),
    deletes: await list('deletes', 'delete'),
    members: await writeList(
      scope,
      `${purpose} members`,
      'members',
      attended(scope, memberPages(scope.db, scope.org.id, assortmentId)),
    ),
  }
  const files = {
    adds: written.adds.id,
    updates: written.updates.id,
    deletes: written.deletes.id,
    members: written.members.id,
    baseline: state.baselines[assortmentId] ?? '',
  }
  const changeId = await idFor(`${purpose} publish`)
  const work = await publishWork(scope, changeId, assortmentId, counted, files)
  const fileWrites = Object.values(written).map(({ write }) => write)
  return advance(
    scope,
    load,
    { ...next, publishIds: [...state.publishIds, changeId] },
    { writes: [...fileWrites, ...work.writes], statements: work.statements },
  )
}
