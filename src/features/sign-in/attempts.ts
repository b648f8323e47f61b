// Slows down the guessing of passwords (N10), and lets strangers' failures slow strangers, not the person (N61): failures count for the
// account at the address they come from, and, far more patiently, for the account at all addresses without a sign-in to it.
// An attempt counts as failed before the password is looked at, so that many at once gain nothing. It makes no difference
// whether there is such a person.
import type { OpenContext } from '../../platform/context.ts'
import { digestOf } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/rate-limit.ts'
import { type Account, takeAttempt, takeBackAttempt } from './attempts-store.ts'
import { waitsAfter } from './backoff.ts'
import { SIGN_IN_FREE_FAILURES, SIGN_IN_FREE_FAILURES_OF_ACCOUNT, SIGN_IN_MEMORY_MS } from './limits.ts'

export interface Attempt {
  account: Account
  /** How long the account is closed when this attempt fails. */
  waitSeconds: number
  /** The account was signed in to from this address. */
  knowsAddress: boolean
}

const WAITS = {
  here: waitsAfter(SIGN_IN_FREE_FAILURES),
  everywhere: waitsAfter(SIGN_IN_FREE_FAILURES_OF_ACCOUNT),
}

export async function accountOf(
  { address }: Pick<OpenContext, 'address'>,
  orgSlug: string,
  email: string,
): Promise<Account> {
  const network = networkOf(address ?? 'local')
  const [everywhere, here, known] = await Promise.all([
    digestOf(`account ${orgSlug} ${email}`),
    digestOf(`account at ${network} ${orgSlug} ${email}`),
    digestOf(`known at ${network} ${orgSlug} ${email}`),
  ])
  return { everywhere, here, known }
}

export async function beginAttempt(
  context: Pick<OpenContext, 'env' | 'now' | 'address'>,
  orgSlug: string,
  email: string,
): Promise<Attempt> {
  const { env, now } = context
  const account = await accountOf(context, orgSlug, email)
  const { isOpen, closedUntil, knowsAddress } = await takeAttempt(env, account, now, WAITS, SIGN_IN_MEMORY_MS)
  const waitSeconds = Math.max(0, Math.ceil((closedUntil - now) / 1000))
  if (isOpen) return { account, waitSeconds, knowsAddress }
  const closed = new AccountClosed(
    'rate_limited',
    'Too many wrong passwords for this account. Wait before the next try.',
    { headers: { 'Retry-After': String(Math.max(1, waitSeconds)) } },
  )
  closed.period = `${account.everywhere} until ${closedUntil}`
  throw closed
}

/** An attempt that was not waited for is no wrong password. */
export async function checkedOrTakenBack<T>(
  { env, now }: Pick<OpenContext, 'env' | 'now'>,
  { account }: Attempt,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    await takeBackAttempt(env, account, now)
    throw error
  }
}

export class AccountClosed extends Fault {
  /** The account, and until when it is closed. */
  period = ''
}
