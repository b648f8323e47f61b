// Workflows: start runs, watch and cancel them. The workflows themselves are entities (`event-workflow`) and are written with
// the entity client.

import { segment } from './address.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page, Properties } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'
import { sleep } from './wait.ts'

const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 2_000

export interface ProcessFields {
  eventWorkflowId: string
  triggerKey: string
  status: 'pending' | 'active' | 'awaiting' | 'complete' | 'failed' | 'cancelled'
  triggerEvent: Properties
  taskOutputs: Properties
  subtext?: string | undefined
  startedOn: string
  endedOn?: string | undefined
  /** Why it failed. */
  error?: { code: string; detail: string } | undefined
  [property: string]: unknown
}
export type WorkflowProcess = CommonFields & ProcessFields

export interface WebhookFields {
  triggerKey: string
  [property: string]: unknown
}
/** With the secret address that starts workflows, this once. */
export type IssuedWebhook = CommonFields & WebhookFields & { triggerUrl: string }

export class Workflows {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  /** Starts every active workflow with this trigger key. */
  async request(
    args: { triggerKey: string; event?: Properties | undefined; idempotencyKey?: string | undefined } & CallOptions,
  ): Promise<{ results: WorkflowProcess[] }> {
    const { triggerKey, event, ...options } = args
    const json = { triggerKey, event }
    return this.#requests.json({ ...options, method: 'POST', path: '/event-workflow-requests', json })
  }

  async getProcess(args: { id: string } & CallOptions): Promise<WorkflowProcess> {
    return this.#entities.get<ProcessFields>({ ...args, entityName: 'event-workflow-process' })
  }

  async listProcesses(
    args: { queryParams?: ListParams | undefined } & CallOptions = {},
  ): Promise<Page<WorkflowProcess>> {
    return this.#entities.list<ProcessFields>({ ...args, entityName: 'event-workflow-process' })
  }

  async cancelProcess(args: { id: string } & CallOptions): Promise<WorkflowProcess> {
    const { id, ...options } = args
    const path = `/event-workflow-processes/${segment('id', id)}/cancel`
    return this.#requests.json({ ...options, method: 'POST', path })
  }

  /** Waits until a run is complete, failed or cancelled; look at its `status`. */
  async wait(
    args: { id: string; onProgress?: ((process: WorkflowProcess) => void) | undefined } & CallOptions,
  ): Promise<WorkflowProcess> {
    const { onProgress, ...one } = args
    for (let look = FIRST_LOOK_MS; ; look = Math.min(LONGEST_LOOK_MS, look * 1.5)) {
      const process = await this.getProcess(one)
      onProgress?.(process)
      if (process.status === 'complete' || process.status === 'failed' || process.status === 'cancelled') return process
      await sleep(look, one.signal ?? this.#requests.signal)
    }
  }

  /** An address that outside systems call without credentials. It is shown this once, so that the call is not repeated. */
  async createWebhook(args: { name: string } & CallOptions): Promise<IssuedWebhook> {
    const { name, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: '/webhooks', json: { name }, repeat: 'never' })
  }
}
