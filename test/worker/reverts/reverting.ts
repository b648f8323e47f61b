// Reverts as a caller makes them, and the whole state of an organization to compare.
import { expect } from 'vitest'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { env, type Json, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'
import { all, workOnLoads } from '../loads/loading.ts'

export type Revert = Json & {
  id: string
  status: string
  results: Record<string, Record<'deleted' | 'restored' | 'updated' | 'unchanged' | 'kept', number>>
  issues: { entityReference: string; property: string | null; reason: string; message: string }[]
}

export async function revertEnded(org: TestOrg, id: string): Promise<Revert> {
  const look = async () => (await org.get<Revert>(`/revert-processes/${id}`)).body
  return eventually(look, ({ endedOn }) => endedOn !== undefined)
}

export async function revert(org: TestOrg, loadId: string, body: Json = {}): Promise<Revert> {
  const started = await org.post<Revert>(`/loader-processes/${loadId}/revert`, body)
  expect(started.status).toBe(202)
  expect(started.body).toMatchObject({ status: 'pending', loaderProcessId: loadId })
  expect(started.headers.get('Location')).toBe(`/api/revert-processes/${started.body.id}`)
  return revertEnded(org, started.body.id)
}

/** Wakes a revert until it has ended. Loads must be held. */
export async function workedBack(org: TestOrg, loadId: string, bounds = BOUNDS): Promise<Revert> {
  const { body } = await org.post<Revert>(`/loader-processes/${loadId}/revert`, {})
  return workedOn(org, body.id, bounds)
}

export async function workedOn(org: TestOrg, revertId: string, bounds = BOUNDS): Promise<Revert> {
  const look = async () => {
    await workOnLoads(env, org.id, bounds)
    return (await org.get<Revert>(`/revert-processes/${revertId}`)).body
  }
  return eventually(look, ({ endedOn }) => endedOn !== undefined)
}

const PATHS = [
  '/items',
  '/project-items',
  '/assortment-items',
  '/assortments',
  '/colors',
  '/custom-entities',
  '/size-range-templates',
]

/** When and by whom, and how often, is not what an entity is; nor is what a publish makes of it. */
const own = ({ createdOn: _, updatedOn: __, createdById, updatedById, version, summary, ...rest }: Json) => rest

/** Everything that loads can change, by id. */
export async function stateOf(org: TestOrg): Promise<Record<string, Json>> {
  const state: Record<string, Json> = {}
  for (const path of PATHS) {
    for (const entity of await all(org, path)) state[`${path} ${String(entity.id)}`] = own(entity)
  }
  return state
}

export const reasons = ({ issues }: Revert) =>
  issues.map(({ entityReference, property, reason }) => `${entityReference.split(':')[0]} ${property} ${reason}`).sort()
