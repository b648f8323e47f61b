// The people of an organization: members, invitations, the audit trail. For admins who signed in; keys cannot do these.

import { segment } from './address.ts'
import type { Page } from './entity.ts'
import type { CallOptions, Requests } from './request.ts'
import { wholeOnly } from './whole.ts'

export type Role = 'admin' | 'member'

export interface User {
  id: string
  email: string
  role: Role
}

export interface Member extends User {
  joinedOn: string
}

export interface Invitation {
  id: string
  email: string
  role: Role
  createdOn: string
  createdById: string
  expiresOn: string
  acceptedOn: string | null
  revokedOn: string | null
}

export interface OpenSession {
  id: string
  userId: string
  /** How it began: password, invitation or single sign-on. */
  method: string
  createdOn: string
  lastUsedOn: string | null
  expiresOn: string
  /** Whether it is the one that asks. */
  isCurrent: boolean
}

export interface AuditEntry {
  id: string
  createdOn: string
  action: string
  actorType: 'user' | 'app' | 'operator' | 'nobody'
  actorId: string | null
  address: string | null
  subjectId: string | null
  detail: Record<string, unknown>
  /** Its place in the chain of lines; null until it is chained, at most an hour. */
  number: number | null
  /** Over itself and the line before. */
  digest: string | null
}

export interface AuditExportArgs extends CallOptions {
  /** JSON lines unless said otherwise; only those can be verified. */
  format?: 'jsonl' | 'csv' | undefined
  /** Only lines behind this number. */
  after?: number | undefined
}

/** Number and digest of a trail's last line. Kept apart from the lines, it shows what is missing at their end. */
export interface AuditHead {
  number: number
  digest: string
}

export interface AuditExport {
  head: AuditHead
  /** Its `body` is a ReadableStream of the lines, oldest first, which fails with `broken_off` where it is not whole. */
  response: Response
}

export async function auditExport(requests: Requests, path: string, args: AuditExportArgs): Promise<AuditExport> {
  const { format = 'jsonl', after, ...options } = args
  const response = await requests.stream({
    ...options,
    method: 'GET',
    path: `${path}/export`,
    query: { format, after },
  })
  const [number = '0', digest = ''] = (response.headers.get('Selvedge-Audit-Head') ?? '').split(':')
  return { head: { number: Number(number), digest }, response: wholeOnly(response, format) }
}

export type PageArgs = { limit?: number | undefined; nextPageKey?: string | null | undefined } & CallOptions

export class People {
  readonly #requests: Requests

  constructor(requests: Requests) {
    this.#requests = requests
  }

  async list(args: PageArgs = {}): Promise<Page<Member>> {
    return this.#page('/users', args)
  }

  async setRole(args: { id: string; role: Role } & CallOptions): Promise<Member> {
    const { id, role, ...options } = args
    return this.#requests.json({ ...options, method: 'PUT', path: `/users/${segment('id', id)}`, json: { role } })
  }

  /** Their sessions and user keys end at once. */
  async remove(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    await this.#requests.json({ ...options, method: 'DELETE', path: `/users/${segment('id', id)}`, doneStatus: 404 })
  }

  /** The one-time link is given this once, to be handed over. */
  async invite(
    args: { email: string; role?: Role | undefined } & CallOptions,
  ): Promise<Invitation & { token: string; acceptUrl: string }> {
    const { email, role, ...options } = args
    return this.#requests.json({
      ...options,
      method: 'POST',
      path: '/invitations',
      json: { email, role },
      repeat: 'never',
    })
  }

  async invitations(args: PageArgs = {}): Promise<Page<Invitation>> {
    return this.#page('/invitations', args)
  }

  async revokeInvitation(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    const path = `/invitations/${segment('id', id)}`
    await this.#requests.json({ ...options, method: 'DELETE', path, doneStatus: 404 })
  }

  /** Sign-ins, keys, people and acts of the operator, newest first. */
  async audit(args: PageArgs = {}): Promise<Page<AuditEntry>> {
    return this.#page('/audit', args)
  }

  /** The whole trail, each line chained to the one before by a digest: `selvedge audit verify` shows what was changed or removed. */
  async exportAudit(args: AuditExportArgs = {}): Promise<AuditExport> {
    return auditExport(this.#requests, '/audit', args)
  }

  /** The own open sessions; for admins those of the member `userId`. */
  async sessions(args: PageArgs & { userId?: string | undefined } = {}): Promise<Page<OpenSession>> {
    const { limit, nextPageKey, userId, ...options } = args
    const query = { limit, nextPageKey, userId }
    return this.#requests.json({ ...options, method: 'GET', path: '/auth/sessions', query })
  }

  /** At once; for admins that of any member. */
  async endSession(args: { id: string } & CallOptions): Promise<void> {
    const { id, ...options } = args
    const path = `/auth/sessions/${segment('id', id)}`
    await this.#requests.json({ ...options, method: 'DELETE', path, doneStatus: 404 })
  }

  /** The own password; all other sessions and the own `user:` keys end. */
  async changePassword(args: { currentPassword: string; newPassword: string } & CallOptions): Promise<void> {
    const { currentPassword, newPassword, ...options } = args
    const json = { currentPassword, newPassword }
    await this.#requests.json({ ...options, method: 'PUT', path: '/auth/password', json, repeat: 'never' })
  }

  async #page<T>(path: string, args: PageArgs): Promise<Page<T>> {
    const { limit, nextPageKey, ...options } = args
    return this.#requests.json({ ...options, method: 'GET', path, query: { limit, nextPageKey } })
  }
}
