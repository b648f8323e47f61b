// What a scenario is: a call that goes well, with what must be there before it.
import { OPERATOR_KEY, type TestOrg } from '../api.ts'

export interface Prepared {
  org: { id: string; slug: string }
  path: string
  headers: Record<string, string>
  body?: unknown
  /** Sent as it is. */
  raw?: string
}

/** What it leaves out is as usual: the organization, and the headers of its key. */
export type Told = Omit<Prepared, 'headers' | 'org'> & { headers?: Record<string, string>; org?: Prepared['org'] }

export interface Settings {
  /** What a repeat is answered where the first call was done, if it is something else than the first time. */
  done?: readonly number[]
  /** Done in steps that can each be seen; a repeat goes on. */
  isStepwise?: true
  /** What comes by itself afterwards. */
  finish?: () => Promise<void>
  /** Each call makes something new: a repeat makes another one. */
  isRepeatedAnew?: true
}

export const operatorHeaders = { 'X-Operator-Key': OPERATOR_KEY }

export const asOperator = (path: string, body?: unknown): Told => ({
  path,
  headers: operatorHeaders,
  ...(body !== undefined && { body }),
})

export type Prepare = (org: TestOrg) => Promise<Told>

export const uploaded = (org: TestOrg, text = 'federatedId,name\nc1,Red\n') =>
  org.call('POST', '/files?fileName=a.csv', { body: text, headers: { 'Content-Type': 'text/csv' } })
