// What happened, why, what to do: errors in words. Pure.
import { ApiError } from '../../typescript/index.ts'

export interface FaultWords {
  title: string
  what: string
  advice: string
  requestId: string | undefined
}

const BY_STATUS: Record<number, [title: string, advice: string]> = {
  0: ['The service did not answer', 'Check the connection, then try again. Nothing that you typed is lost.'],
  401: ['You are not signed in', 'Sign in again; you come back to this page.'],
  403: ['This is not allowed for you', 'Ask an admin of the organization.'],
  404: ['This does not exist', 'It may have been deleted, or the address is of another organization.'],
  409: ['This conflicts with what is stored', 'Look at the reason, mend it, and try again.'],
  412: ['Somebody else was faster', 'Reload to see their change, then make yours again.'],
  413: ['This is too large', 'Send less at once.'],
  429: ['Too many requests', 'Wait a moment, then try again.'],
  503: ['The service is busy', 'Wait a moment, then try again.'],
}

export function words(error: unknown): FaultWords {
  if (error instanceof ApiError) {
    const [title, advice] = BY_STATUS[error.status] ?? [
      error.status >= 500 ? 'The service failed' : 'The service refused this',
      error.status >= 500
        ? 'Try again. If it stays, tell the operator the request id.'
        : 'Mend what is named, and try again.',
    ]
    const details = error.errors.slice(0, 5).map(each => `${each.path || 'input'}: ${each.message}`)
    return { title, what: [error.message, ...details].join(' · '), advice, requestId: error.requestId }
  }
  const what = error instanceof Error ? error.message : String(error)
  return { title: 'This page has a fault', what, advice: 'Reload the page.', requestId: undefined }
}

/** Whether the same may be done when it is tried again: a connection comes back, somebody signs in again. */
export const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status >= 500 || [0, 401, 408, 429].includes(error.status))

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404
