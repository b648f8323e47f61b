// Archives of whole organizations (N63): the calls that `selvedge operator backup` and `restore` are made of. What an archive is
// on disk is the command line's.

import { segment } from './address.ts'
import type { Page } from './entity.ts'
import type { PageArgs } from './people.ts'
import type { CallOptions, Requests } from './request.ts'

export interface RestoreStatus {
  id: string
  organizationId: string
  slug: string
  state: 'receiving' | 'completing' | 'complete'
  /** The number of the part that comes next. */
  nextPart: number
  /** Its records have other places than they had: syncKeys from before are answered with 410. */
  isShifted: boolean
  /** Secrets that did not come with the archive, or that this deployment cannot open. */
  leftOut: { passwords: number; endpoints: string[]; identityProvider: boolean }
  createdOn: string
  touchedOn: string
}

export interface KeptBackup {
  id: string
  organizationId: string
  slug: string
  bytes: number
  begunOn: string
  completedOn: string
}

export interface NewRestore {
  /** Another name than it had. */
  slug?: string | undefined
  /** The `end` line of the archive, and the digest of its last mark. */
  end: Readonly<Record<string, unknown>>
  digest: string
  positions?: 'keep' | 'shift' | undefined
  /** Nobody gets in, and nothing is sent out, before it is resumed. */
  suspended?: boolean | undefined
}

export interface RestorePart {
  /** A page of lines with its mark, or a piece of a content. */
  content: Uint8Array
  fileId?: string | undefined
  piece?: number | undefined
  isLast?: boolean | undefined
  isGone?: boolean | undefined
}

export class Backups {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  get baseUrl(): string {
    return this.#requests.baseUrl
  }

  /** Pages of lines behind a key, as many as one call answers. */
  async pages(
    args: { slug: string; after?: string | undefined; secrets?: 'without' | 'sealed' | 'open' } & CallOptions,
  ) {
    const { slug, after, secrets, ...options } = args
    const path = `/operator/orgs/${segment('slug', slug)}/export`
    const response = await this.#requests.stream({
      ...options,
      method: 'GET',
      path,
      query: { after, secrets },
      headers: { accept: '*/*' },
    })
    return response.text()
  }

  /** The content of a file from a byte on. */
  async content(args: { slug: string; fileId: string; from?: number | undefined } & CallOptions): Promise<Response> {
    const { slug, fileId, from = 0, ...options } = args
    const path = `/operator/orgs/${segment('slug', slug)}/export/files/${segment('id', fileId)}`
    const headers = { accept: '*/*', ...(from > 0 && { range: `bytes=${from}-` }) }
    return this.#requests.stream({ ...options, method: 'GET', path, headers })
  }

  /** Those that the service has made by itself, where a bucket is bound for them. */
  async list(args: PageArgs = {}): Promise<Page<KeptBackup>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: '/operator/backups', query: { limit, nextPageKey } })
  }

  /** Saves an organization now, in the background; one under way goes on. */
  async beginBackup(args: { slug: string } & CallOptions): Promise<void> {
    const { slug, ...options } = args
    const path = `/operator/orgs/${segment('slug', slug)}/backups`
    await this.#requests.json({ ...options, method: 'POST', path, idempotent: true })
  }

  /** One of them, as the file that `selvedge operator restore` takes. */
  async download(args: { organizationId: string; id: string } & CallOptions): Promise<Response> {
    const { organizationId, id, ...options } = args
    const path = `/operator/backups/${segment('organizationId', organizationId)}/${segment('id', id)}`
    return this.#requests.stream({ ...options, method: 'GET', path, headers: { accept: '*/*' } })
  }

  /** Begins, or goes on with the same archive. */
  async begin(args: NewRestore & CallOptions): Promise<RestoreStatus> {
    const { slug, end, digest, positions, suspended, ...options } = args
    const json = { slug, end, digest, positions, suspended }
    return this.#requests.json({ ...options, method: 'POST', path: '/operator/restores', json })
  }

  async status(args: { id: string } & CallOptions): Promise<RestoreStatus> {
    const { id, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path: restorePath(id) })
  }

  async send(args: { id: string; part: number } & RestorePart & CallOptions): Promise<RestoreStatus> {
    const { id, part, content, fileId, piece, isLast, isGone, ...options } = args
    const text = (flag: boolean | undefined) => (flag === undefined ? undefined : String(flag))
    const query = { fileId, piece, isLast: text(isLast), isGone: text(isGone) }
    const headers = { 'content-type': fileId === undefined ? 'application/x-ndjson' : 'application/octet-stream' }
    return this.#requests.json({
      ...options,
      method: 'PUT',
      path: `${restorePath(id)}/parts/${part}`,
      query,
      content,
      headers,
    })
  }

  /** A bounded piece of what is left to do: repeat it until `state` is `complete`. */
  async complete(args: { id: string; slug?: string | undefined } & CallOptions): Promise<RestoreStatus> {
    const { id, slug, ...options } = args
    return this.#requests.json({ ...options, method: 'POST', path: `${restorePath(id)}/complete`, json: { slug } })
  }

  /** Gives it up, with everything that was sent. */
  async abandon(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    await this.#requests.json({ ...options, method: 'DELETE', path: restorePath(id), doneStatus: 404 })
  }
}

const restorePath = (id: string) => `/operator/restores/${segment('id', id)}`
