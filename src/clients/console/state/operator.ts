// The operator's key: asked for, kept for this tab alone, and sent with nothing but the operator's calls.
import { signal } from '@preact/signals'
import { ApiError, Operator } from '../../typescript/index.ts'
import { BASE_URL } from './session.ts'

const KEPT = 'selvedge.operator'

const made = (operatorKey: string) => new Operator({ baseUrl: BASE_URL, operatorKey, maxRetries: 1 })
const kept = sessionStorage.getItem(KEPT)

export const operator = signal<Operator | undefined>(kept === null ? undefined : made(kept))

/** Throws where the key is wrong. */
export async function enterAsOperator(key: string): Promise<void> {
  const tried = made(key)
  await tried.listOrgs({ limit: 1 })
  sessionStorage.setItem(KEPT, key)
  operator.value = tried
}

export function leaveOperator(): void {
  sessionStorage.removeItem(KEPT)
  operator.value = undefined
}

export const isRefused = (error: unknown) => error instanceof ApiError && error.status === 401
