// Workflow tasks: look at them, tell how far the job is, call them back.

import { ArgumentError } from './api-error.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page, Properties } from './entity.ts'
import { type CallOptions, type ConnectionOptions, Requests } from './request.ts'

const CALLBACK_PATH = '/external-events/callback/'

export interface TaskFields {
  processId?: string | undefined
  status: 'pending' | 'active' | 'awaiting' | 'complete' | 'failed' | 'cancelled' | 'skipped'
  logs: string[]
  output: Properties
  subtext?: string | undefined
  action: string
  async: boolean
  /** When a task that waits stops waiting. */
  expiresOn?: string | undefined
  [property: string]: unknown
}
export type WorkflowTask = CommonFields & TaskFields

export interface TaskCallback {
  taskId: string
  status: 'SUCCESS' | 'FAILURE'
  /** A string is one line; each entry of a list is one line. */
  logs?: string | readonly string[] | undefined
  /** Merged into the task's output; these values win. */
  output?: Properties | undefined
  subtext?: string | undefined
}

export class Tasks {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  async get(args: { id: string } & CallOptions): Promise<WorkflowTask> {
    return this.#entities.get<TaskFields>({ ...args, entityName: 'event-workflow-task' })
  }

  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<Page<WorkflowTask>> {
    return this.#entities.list<TaskFields>({ ...args, entityName: 'event-workflow-task' })
  }

  /** A free-standing task that waits for its callback. */
  async create(
    args: { name: string; timeoutSeconds?: number | undefined; idempotencyKey?: string | undefined } & CallOptions,
  ): Promise<WorkflowTask> {
    const { name, timeoutSeconds, ...options } = args
    const json = { name, async: true, timeoutSeconds }
    return this.#requests.json({ ...options, method: 'POST', path: '/event-workflow-tasks', json })
  }

  async setSubtext(args: { id: string; subtext: string } & CallOptions): Promise<WorkflowTask> {
    const { subtext, ...one } = args
    return this.#entities.update<TaskFields>({ ...one, entityName: 'event-workflow-task', body: { subtext } })
  }

  /** Completes or fails a waiting task. An identical repeat changes nothing, so that it is repeated by itself (N38). */
  async callback(args: TaskCallback & CallOptions): Promise<WorkflowTask> {
    const { taskId, status, logs, output, subtext, ...options } = args
    const json = { taskId, status, logs, output, subtext }
    return this.#requests.json({ ...options, method: 'POST', path: CALLBACK_PATH, json, idempotent: true })
  }
}

export interface CallbackArgs extends TaskCallback, CallOptions {
  callbackUrl: string
  callbackToken: string
  fetch?: ConnectionOptions['fetch']
}

/** For a system that an async task has called: answers with the `callbackUrl` and `callbackToken` it was handed (N39). */
export async function sendCallback(args: CallbackArgs): Promise<WorkflowTask> {
  const { callbackUrl, callbackToken, fetch, ...callback } = args
  const end = callbackUrl.lastIndexOf(CALLBACK_PATH.slice(0, -1))
  if (end < 0) throw new ArgumentError(`callbackUrl does not lead to ${CALLBACK_PATH}: ${JSON.stringify(callbackUrl)}`)
  const requests = new Requests(
    { baseUrl: callbackUrl.slice(0, end), fetch },
    { authorization: `Bearer ${callbackToken}` },
  )
  return new Tasks(requests).callback(callback)
}
