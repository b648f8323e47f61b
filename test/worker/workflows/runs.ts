// What tests of workflows ask again and again.
import type { Json, TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'

export type Found = Json & { id: string; status: string }

/** A task that computes. */
export const expression = (name: string, output: unknown) => ({ name, action: 'expression', config: { output } })

export function workflow(org: TestOrg, tasks: unknown[], more: Json = {}) {
  return org.make('/event-workflows', { name: 'flow', triggerKey: 'go', paths: [{ tasks }], ...more })
}

export async function tasksOf(org: TestOrg, processId: string): Promise<Found[]> {
  const { body } = await org.get('/event-workflow-tasks', { criteria: { processId } })
  return ((body.results ?? []) as Found[]).sort((a, b) => Number(a.position) - Number(b.position))
}

export async function processesOf(org: TestOrg, eventWorkflowId: string): Promise<Found[]> {
  const { body } = await org.get('/event-workflow-processes', { criteria: { eventWorkflowId } })
  return (body.results ?? []) as Found[]
}

export function processWith(org: TestOrg, id: string, status: string): Promise<Found> {
  const look = async () => (await org.get(`/event-workflow-processes/${id}`)).body as Found
  return eventually(look, process => process.status === status)
}

export async function request(org: TestOrg, triggerKey: string, event: Json = {}): Promise<Found[]> {
  const { status, body } = await org.post('/event-workflow-requests', { triggerKey, event })
  if (status !== 201) throw new Error(`request: ${status} ${JSON.stringify(body)}`)
  return (body.results ?? []) as Found[]
}

export function callBack(org: TestOrg, body: Json) {
  return org.post<Json & { outcome?: Json }>('/external-events/callback/', body)
}
