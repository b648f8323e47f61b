// Files: records, upload, download. An upload is the record first and the bytes second, so that each call can be repeated;
// large or endless content goes in parts (N26).

import { segment } from './address.ts'
import { Entities } from './entities.ts'
import type { CommonFields, ListParams, Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'
import { type Content, type Piece, piecesOf, sizeOf } from './upload-content.ts'
import { Deadline } from './wait.ts'

const UPLOAD_TIMEOUT_MS = 600_000
const PARTS_IN_FLIGHT = 3

export interface FileFields {
  fileName: string
  contentType: string
  /** `pending` until it has its content. */
  status: 'pending' | 'ready'
  size: number | null
  checksum: string | null
  uploadedOn: string | null
  [property: string]: unknown
}
export type FileRecord = CommonFields & FileFields

export interface UploadProgress {
  bytesDone: number
  /** Unknown for a stream until it ends. */
  bytesTotal: number | undefined
}

export interface UploadArgs extends CallOptions {
  content: Content
  fileName: string
  /** Default: the Blob's own, else `application/octet-stream`. */
  contentType?: string | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

export class Files {
  readonly #requests: Requests
  readonly #entities: Entities

  constructor(requests: Requests) {
    this.#requests = requests
    this.#entities = new Entities(requests)
  }

  async get(args: { id: string } & CallOptions): Promise<FileRecord> {
    return this.#entities.get<FileFields>({ ...args, entityName: 'file' })
  }

  async list(args: { queryParams?: ListParams | undefined } & CallOptions = {}): Promise<Page<FileRecord>> {
    return this.#entities.list<FileFields>({ ...args, entityName: 'file' })
  }

  /** The content as a Response: read it with `text()`, `blob()` or `body`. `range` as in HTTP, for example `bytes=0-99`. */
  async download(args: { id: string; range?: string | undefined } & CallOptions): Promise<Response> {
    const { id, range, ...options } = args
    const headers = { accept: '*/*', ...(range === undefined ? {} : { range }) }
    return this.#requests.stream({ ...options, method: 'GET', path: `${filePath(id)}/content`, headers })
  }

  async upload(args: UploadArgs): Promise<FileRecord> {
    const course = new Deadline(Number.POSITIVE_INFINITY, args.signal ?? this.#requests.signal)
    const { signal } = course
    const pieces = piecesOf(args.content, sizeOf(args.content), signal)
    try {
      return await this.#send({ ...args, signal }, pieces)
    } catch (error) {
      // Parts that are under way, or wait for their bytes, end with it.
      course.abort(error)
      throw error
    } finally {
      course.end()
      await pieces.return()
    }
  }

  async #send(args: UploadArgs, pieces: AsyncIterator<Piece, void, undefined>): Promise<FileRecord> {
    const { content, fileName, contentType = typeOf(content), onProgress, ...options } = args
    const bytesTotal = sizeOf(content)
    onProgress?.({ bytesDone: 0, bytesTotal })
    const ahead = await firstOf(pieces, 2)
    const json = { fileName, contentType }
    const { id } = await this.#requests.json<FileRecord>({ ...options, method: 'POST', path: '/files', json })
    const call = { ...options, timeoutMs: options.timeoutMs ?? UPLOAD_TIMEOUT_MS }
    if (ahead.length < 2) {
      const size = ahead[0]?.size ?? 0
      const record = await this.#sendWhole(id, ahead[0]?.bytes ?? new Uint8Array(0), contentType, call)
      if (record.size !== size) throw new Error(`The file ${id} has ${record.size} bytes instead of ${size}.`)
      onProgress?.({ bytesDone: size, bytesTotal: size })
      return record
    }
    await this.#sendParts(id, ahead, pieces, call, bytesDone => onProgress?.({ bytesDone, bytesTotal }))
    const path = `${filePath(id)}/complete`
    return this.#requests.json({ ...call, method: 'POST', path, idempotent: true })
  }

  /** Content is written once: a repeat after a lost answer is refused, and the record tells the rest. */
  async #sendWhole(
    id: string,
    content: Blob | Uint8Array,
    contentType: string,
    call: CallOptions,
  ): Promise<FileRecord> {
    const path = `${filePath(id)}/content`
    const headers = { 'content-type': contentType }
    const put = { ...call, method: 'PUT', path, content, headers, doneStatus: 409 } as const
    const record = await this.#requests.json<FileRecord | undefined>(put)
    return record ?? this.get({ ...call, id })
  }

  /** A few parts at a time, in any order; the first failure ends them all. */
  async #sendParts(
    id: string,
    ahead: Piece[],
    pieces: AsyncIterator<Piece, void, undefined>,
    call: CallOptions,
    onBytes: (bytesDone: number) => void,
  ): Promise<void> {
    let bytesDone = 0
    const next = async () => ahead.shift() ?? (await pieces.next()).value ?? undefined
    const sendSome = async () => {
      for (let piece = await next(); piece !== undefined; piece = await next()) {
        const query = { partNumber: piece.partNumber }
        const path = `${filePath(id)}/parts`
        await this.#requests.json({ ...call, method: 'POST', path, query, content: piece.bytes, idempotent: true })
        bytesDone += piece.size
        onBytes(bytesDone)
      }
    }
    await Promise.all(Array.from({ length: PARTS_IN_FLIGHT }, sendSome))
  }
}

function typeOf(content: Content): string {
  return content instanceof Blob && content.type !== '' ? content.type : 'application/octet-stream'
}

async function firstOf(pieces: AsyncIterator<Piece, void, undefined>, count: number): Promise<Piece[]> {
  const found: Piece[] = []
  while (found.length < count) {
    const next = await pieces.next()
    if (next.done) break
    found.push(next.value)
  }
  return found
}

function filePath(id: string): string {
  return `/files/${segment('id', id)}`
}
