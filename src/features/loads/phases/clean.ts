// The last phase of a load: removes what only the running load needed.
import { removeJob } from '../../../platform/jobs/store.ts'
import type { LoadScope } from '../checkpoint.ts'
import { forget, type Load } from '../store/loads.ts'
import { Staging } from '../store/staging.ts'

const FORGET_ROWS = 5000
const FORGET_OBJECTS = 1000

type MayGoOn = () => Promise<boolean>

/** False where there is no time left for all of it. */
export async function forgetWork(scope: LoadScope, load: Pick<Load, 'id'>, mayGoOn: MayGoOn): Promise<boolean> {
  const staging = new Staging(scope.env.FILES, scope.org.id, load.id)
  for (;;) {
    const [rowsGone, objectsGone] = [await forget(scope.db, load.id, FORGET_ROWS), await staging.forget(FORGET_OBJECTS)]
    if (rowsGone && objectsGone) return true
    if (!(await mayGoOn())) return false
  }
}

/** The load's own row goes last: if anything goes wrong before, the phase is repeated. */
export async function clean(scope: LoadScope, load: Load, mayGoOn: MayGoOn): Promise<undefined | Load> {
  if (!(await forgetWork(scope, load, mayGoOn))) return load
  await scope.db.batch([removeJob(load)])
  return undefined
}
