// Slows down the guessing of passwords, account by account (N10). An attempt counts as failed before the password is
// looked at, so that many at once gain nothing; a success clears the account. It makes no difference whether there is such a person.
import type { OpenContext } from '../../platform/context.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import { SIGN_IN_MEMORY_MS } from '../../platform/limits.ts'
import { WAITS_MS } from './backoff.ts'
import { takeAttempt } from './store.ts'

export interface Attempt {
  account: string
  /** How long the account is closed when this attempt fails. */
  waitSeconds: number
}

export function accountOf(orgSlug: string, email: string): Promise<string> {
  return digestOf(`account ${orgSlug} ${email}`)
}

export async function beginAttempt(
  { env, now }: Pick<OpenContext, 'env' | 'now'>,
  orgSlug: string,
  email: string,
): Promise<Attempt> {
  const account = await accountOf(orgSlug, email)
  const { isOpen, closedUntil } = await takeAttempt(env, account, now, WAITS_MS, SIGN_IN_MEMORY_MS)
  const waitSeconds = Math.max(0, Math.ceil((closedUntil - now) / 1000))
  if (isOpen) return { account, waitSeconds }
  throw new Fault('rate_limited', 'Too many wrong passwords for this account. Wait before the next try.', {
    headers: { 'Retry-After': String(Math.max(1, waitSeconds)) },
  })
}
