// Loads: start one, watch it, run one to its end. `run` uploads, starts and waits, and fails when the load fails.

import { segment } from './address.ts'
import { ApiError, type FieldError } from './api-error.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page } from './entity.ts'
import { Files, type UploadArgs, type UploadProgress } from './files.ts'
import type { LoaderConfiguration } from './loader-configuration.ts'
import type { CallOptions, Requests } from './request.ts'
import { sleep } from './wait.ts'

const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 2_000

export interface LoadIssue {
  /** The line in the file; the header is line 1. */
  rowNumber: number
  columnName: string | null
  message: string
  issueType:
    | 'CONFIG'
    | 'HEADER_MISMATCH'
    | 'INVALID_DATA'
    | 'MISSING_DATA'
    | 'VALIDATION_ERROR'
    | 'DUPLICATE_FEDERATED_ID'
    | 'SYSTEM_ERROR'
  severity: 'error' | 'warning'
}

export interface LoadCounts {
  created: number
  updated: number
  unchanged: number
  removed: number
}

export interface LoadProgress {
  phase: string
  /** Rows of the phase; the total is unknown until they have been counted. */
  rowsTotal: number | null
  rowsDone: number
  /** Of the whole load; it never runs back (N74). */
  percent: number
  rowsPerSecond?: number | null | undefined
  /** Until the end of the whole load. */
  secondsLeft?: number | null | undefined
}

export interface LoadFields {
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  failureArea: 'NONE' | 'PARSING_CSV' | 'VALIDATING_DATA' | 'TRANSFORMING_DATA'
  progress: LoadProgress
  /** Per entity type. */
  results: Record<string, LoadCounts>
  errorCount: number
  warningCount: number
  /** The first 100. */
  issues: LoadIssue[]
  /** A CSV file with every issue. */
  issuesFileId?: string | null | undefined
  /** The file that was loaded with the columns `_line` and `_issues`, to correct and load again. */
  annotatedFileId?: string | null | undefined
  /** Each preprocessing step: how many rows it has seen, how many warnings it gave. */
  steps: { step: number; name: string; rows: number; warnings: number }[]
  /** Writes of assortment items without change records. */
  unrecordedWrites: number
  assortmentPublishChangeIds: string[]
  startedOn?: string | null | undefined
  endedOn?: string | null | undefined
  [property: string]: unknown
}
export type LoadProcess = CommonFields & LoadFields

/** A load that ended as failed or cancelled; `process` tells everything about it. */
export class LoadError extends Error {
  readonly process: LoadProcess
  readonly issues: readonly LoadIssue[]

  constructor(process: LoadProcess) {
    const first = (process.issues ?? []).find(issue => issue.severity === 'error')?.message
    super(`The load ${process.id} ${process.status}${first === undefined ? '' : `: ${first}`}`)
    this.name = 'LoadError'
    this.process = process
    this.issues = process.issues ?? []
  }
}

export interface WaitOptions extends CallOptions {
  onProgress?: ((process: LoadProcess) => void) | undefined
}

export interface RunArgs extends WaitOptions {
  config: LoaderConfiguration
  /** The CSV to upload first; its id becomes `fileLocation`. */
  file?: Pick<UploadArgs, 'content' | 'fileName' | 'contentType'> | undefined
  onUploadProgress?: ((progress: UploadProgress) => void) | undefined
}

export class Loads {
  readonly #requests: Requests
  readonly #entities: Entities
  readonly #files: Files

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
    this.#files = new Files(requests)
  }

  /** What is wrong with a configuration, before there is a file to load with it: nothing is written (N81). */
  async check(args: { config: LoaderConfiguration } & CallOptions): Promise<FieldError[]> {
    try {
      await this.#refuseFaults(args)
      return []
    } catch (error) {
      if (error instanceof ApiError && error.status === 400 && error.errors.length > 0) return [...error.errors]
      throw error
    }
  }

  async #refuseFaults(args: { config: LoaderConfiguration } & CallOptions): Promise<void> {
    const { config, ...options } = args
    const json = { ...config, fileLocation: undefined }
    await this.#requests.json({ ...options, method: 'POST', path: '/loader-processes/check', json, idempotent: true })
  }

  async start(
    args: { config: LoaderConfiguration; idempotencyKey?: string | undefined } & CallOptions,
  ): Promise<LoadProcess> {
    const { config, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: '/loader-processes', json: config })
  }

  async get(args: { id: string } & CallOptions): Promise<LoadProcess> {
    return this.#entities.get<LoadFields>({ ...args, entityName: 'loader-process' })
  }

  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<Page<LoadProcess>> {
    return this.#entities.list<LoadFields>({ ...args, entityName: 'loader-process' })
  }

  async cancel(args: { id: string } & CallOptions): Promise<LoadProcess> {
    const { id, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `/loader-processes/${segment('id', id)}/cancel` })
  }

  /** Waits for the end of a load; throws a LoadError unless it completed. */
  async wait(args: { id: string } & WaitOptions): Promise<LoadProcess> {
    const { id, onProgress, ...options } = args
    for (let look = FIRST_LOOK_MS; ; look = Math.min(LONGEST_LOOK_MS, look * 1.5)) {
      const process = await this.get({ ...options, id })
      onProgress?.(process)
      if (process.status === 'completed') return process
      if (process.status === 'failed' || process.status === 'cancelled') throw new LoadError(process)
      await sleep(look, options.signal ?? this.#requests.signal)
    }
  }

  /**
   * Uploads the file, starts the load and waits for its end; throws a LoadError unless it completed. A configuration that is
   * refused is refused before the upload.
   */
  async run(args: RunArgs): Promise<LoadProcess> {
    const { config, file, onProgress, onUploadProgress, ...options } = args
    if (file) await this.#refuseFaults({ ...options, config })
    const uploaded = file && (await this.#files.upload({ ...options, ...file, onProgress: onUploadProgress }))
    const fileLocation = uploaded?.id ?? config.fileLocation
    const started = await this.start({ ...options, config: { ...config, fileLocation } })
    return this.wait({ ...options, id: started.id, onProgress })
  }
}
