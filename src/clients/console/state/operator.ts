// The operator's key: asked for, kept for this tab alone, and sent with nothing but the operator's calls.
import { signal } from '@preact/signals'
import { Operator } from '../../typescript/index.ts'
import { BASE_URL } from './session.ts'

const KEPT = 'selvedge.operator'

/** A key that is refused anywhere, such as one that was rotated, leads to the entrance. */
const watchful: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status === 401 && operator.value) {
    leaveOperator()
    isRefused.value = true
  }
  return response
}

const made = (operatorKey: string) => new Operator({ baseUrl: BASE_URL, operatorKey, maxRetries: 1, fetch: watchful })
const kept = sessionStorage.getItem(KEPT)

export const operator = signal<Operator | undefined>(kept === null ? undefined : made(kept))

/** Whether the key that this tab had is not taken any more. */
export const isRefused = signal(false)

/** Throws where the key is wrong. */
export async function enterAsOperator(key: string): Promise<void> {
  const tried = made(key)
  await tried.listOrgs({ limit: 1 })
  sessionStorage.setItem(KEPT, key)
  operator.value = tried
  isRefused.value = false
}

export function leaveOperator(): void {
  sessionStorage.removeItem(KEPT)
  operator.value = undefined
}
