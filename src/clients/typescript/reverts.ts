// Taking back a load, or whatever changes fit (N52): a process of its own, to be started, watched and cancelled.

import { segment } from './address.ts'
import { Entities } from './entities.ts'
import type { CommonFields, EntityName, ListParams, Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'
import { sleep } from './wait.ts'

const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 2_000

export interface RevertIssue {
  /** `<entityType>:<id>` of what was left alone. */
  entityReference: string
  /** Null: the whole entity. */
  property: string | null
  reason:
    | 'changed_since'
    | 'deleted_since'
    | 'restored_since'
    | 'in_use'
    | 'duplicate'
    | 'reference_gone'
    | 'does_not_fit'
    | 'too_many_changes'
  message: string
}

export interface RevertCounts {
  deleted: number
  restored: number
  updated: number
  /** As before already. */
  unchanged: number
  /** Left alone. */
  kept: number
}

export interface RevertFields {
  loaderProcessId?: string | undefined
  /** Of changes that are taken back whoever made them: the time that they are of. */
  since?: string | undefined
  until?: string | undefined
  dryRun: boolean
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  failure?: string | null | undefined
  progress: { phase: string; changesDone: number; percent: number }
  /** Per entity type. */
  results: Record<string, RevertCounts>
  issueCount: number
  /** The first 100. */
  issues: RevertIssue[]
  /** A CSV file with all of them. */
  issuesFileId?: string | null | undefined
  assortmentPublishChangeIds: string[]
  startedOn?: string | null | undefined
  endedOn?: string | null | undefined
  [property: string]: unknown
}
export type RevertProcess = CommonFields & RevertFields

/** A revert that ended as failed or cancelled. */
export class RevertError extends Error {
  readonly process: RevertProcess

  constructor(process: RevertProcess) {
    super(`The revert ${process.id} ${process.status}${process.failure ? `: ${process.failure}` : ''}`)
    this.name = 'RevertError'
    this.process = process
  }
}

export interface ChangesToRestore {
  criteria: {
    /** Who made the changes, as the history names them. */
    createdById?: string | undefined
    createdByType?: 'user' | 'app' | 'operator' | 'loader' | 'workflow' | undefined
    entityType?: EntityName | EntityName[] | undefined
    entityReference?: string | undefined
  }
  /** ISO times or dates, both inclusive; `until` is now unless given. */
  since: string
  until?: string | undefined
  dryRun?: boolean | undefined
  name?: string | undefined
}

export class Reverts {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  /** Starts to take a load back. */
  async startForLoad(
    args: { id: string; dryRun?: boolean | undefined; idempotencyKey?: string | undefined } & CallOptions,
  ): Promise<RevertProcess> {
    const { id, dryRun, ...options } = args
    const path = `/loader-processes/${segment('id', id)}/revert`
    return this.#requests.json({ ...options, method: 'POST', path, json: { dryRun } })
  }

  /** Starts to take changes back, such as all that one key has made since a time. */
  async startForChanges(
    args: { changes: ChangesToRestore; idempotencyKey?: string | undefined } & CallOptions,
  ): Promise<RevertProcess> {
    const { changes, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: '/change-history/restore', json: changes })
  }

  async get(args: { id: string } & CallOptions): Promise<RevertProcess> {
    return this.#entities.get<RevertFields>({ ...args, entityName: 'revert-process' })
  }

  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<Page<RevertProcess>> {
    return this.#entities.list<RevertFields>({ ...args, entityName: 'revert-process' })
  }

  async cancel(args: { id: string } & CallOptions): Promise<RevertProcess> {
    const { id, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `/revert-processes/${segment('id', id)}/cancel` })
  }

  /** Waits for the end; throws a RevertError unless it completed. */
  async wait(
    args: { id: string; onProgress?: ((process: RevertProcess) => void) | undefined } & CallOptions,
  ): Promise<RevertProcess> {
    const { id, onProgress, ...options } = args
    for (let look = FIRST_LOOK_MS; ; look = Math.min(LONGEST_LOOK_MS, look * 1.5)) {
      const process = await this.get({ ...options, id })
      onProgress?.(process)
      if (process.status === 'completed') return process
      if (process.status === 'failed' || process.status === 'cancelled') throw new RevertError(process)
      await sleep(look, options.signal ?? this.#requests.signal)
    }
  }
}
