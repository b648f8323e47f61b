// The phase of a load that publishes its assortments (N33): those that do not stand as they were last published, whether by this
// load, by one before it that did not come so far, or by hand.
import { isAsPublished } from '../../assortments/members-file.ts'
import { lastPublish } from '../../assortments/store.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { publishAssortment } from '../publish-assortment.ts'
import type { LoadState } from '../state.ts'
import type { Load } from '../store/loads.ts'
import { fills } from '../targets.ts'

function publishes({ configuration }: LoadState): boolean {
  const { shouldSkipAssortmentPublish, dryRun } = configuration
  return fills(configuration, 'assortmentId') && !shouldSkipAssortmentPublish && !dryRun
}

export async function publishAll(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  while (publishes(load.state) && load.state.pass < load.state.assortments.length) {
    load = await publishOne(scope, load, load.state.assortments[load.state.pass] ?? '')
    if (!(await mayGoOn())) return load
  }
  return advance(scope, load, { ...load.state, phase: 'reporting', outcome: 'completed' })
}

async function publishOne(scope: LoadScope, load: Load, assortmentId: string): Promise<Load> {
  const { state } = load
  const next = { ...state, pass: state.pass + 1 }
  const last = await lastPublish(scope.db, scope.org.id, assortmentId)
  if (await isAsPublished(scope, assortmentId, last?.files.members)) return advance(scope, load, next)
  return publishAssortment(scope, assortmentId, last, (changeId, work) =>
    advance(scope, load, { ...next, publishIds: [...state.publishIds, changeId] }, work),
  )
}
