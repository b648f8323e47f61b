// One publish of an assortment by a load or a revert. All that a try puts down is its own: whoever comes late neither disturbs the
// try that goes through nor changes what it has published.

import { newId } from '../../platform/ids.ts'
import type { StepWork } from '../../platform/jobs/commit-step.ts'
import { byTry } from '../assortments/notes.ts'
import { listChanges, publishWork, untilUndisturbed } from '../assortments/service.ts'
import type { Publish } from '../assortments/store.ts'
import type { LoadScope } from './checkpoint.ts'
import { forget } from './store/loads.ts'

const FORGET_ROWS = 5000

export async function publishAssortment<T>(
  scope: LoadScope,
  assortmentId: string,
  last: Publish | undefined,
  step: (changeId: string, work: StepWork) => Promise<T>,
): Promise<T> {
  const changeId = newId()
  const publishId = byTry(Date.now(), changeId)
  try {
    const { counted, files, writes } = await listChanges(scope, { publishId, assortmentId }, last, scope.alive)
    return await untilUndisturbed(async () => {
      const work = await publishWork(scope, changeId, assortmentId, counted, files)
      return step(changeId, { writes: [...writes, ...work.writes], statements: work.statements })
    })
  } finally {
    while (!(await forget(scope.db, publishId, FORGET_ROWS))) await scope.alive()
  }
}
