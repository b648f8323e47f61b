// Reads answers: JSON or an ApiError, never something in between. Also the errors of calls that got no answer.

import { ApiError, errorOfAnswer } from './api-error.ts'
import type { Deadline } from './wait.ts'

/** Redirects are not followed, since they would carry the key header to another host; here they become an error. */
export function refuseRedirect(response: Response, url: string): void {
  // Browsers hide a redirect behind status 0 and this type.
  const hidden = String(response.type) === 'opaqueredirect'
  if (!hidden && (response.status < 300 || response.status > 399)) return
  const target = response.headers.get('location')
  const message = `${url} redirects${target === null ? '' : ` to ${target}`}. Is baseUrl the address of the API itself?`
  throw new ApiError({ status: response.status, code: 'unexpected_redirect', message, detail: message })
}

/** The parsed JSON of a success; undefined for an empty answer. */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  const body = parsed(response, text)
  if (body !== undefined) return body
  const kind = response.headers.get('content-type') ?? 'no content type'
  const message = `The server answered ${response.status} with ${kind} instead of JSON. Is baseUrl the address of the API?`
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw new ApiError({ status: response.status, code: 'invalid_answer', message, detail: message, requestId })
}

export async function errorOf(response: Response): Promise<ApiError> {
  return errorOfAnswer(response.status, response.headers, parsed(response, await response.text()))
}

function parsed(response: Response, text: string): unknown {
  if (!/^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error for a call whose connection broke or whose deadline passed. */
export function unanswered(url: string, cause: unknown, deadline: Deadline): ApiError {
  const { origin } = new URL(url)
  if (deadline.expired) {
    const message = `${origin} did not answer within ${deadline.timeoutMs} ms.`
    return new ApiError({ status: 0, code: 'timeout', message, detail: message, cause })
  }
  const message = `The connection to ${origin} failed: ${reasonOf(cause)}`
  return new ApiError({ status: 0, code: 'connection_failed', message, detail: message, cause })
}

/** Node's fetch says only "fetch failed" and hides the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error.cause
  if (!(inner instanceof Error)) return error.message
  return inner.message === '' && 'code' in inner ? String(inner.code) : inner.message
}

/** The body, each piece of which must come within the deadline. A slow reader is not held against the server. */
export function watched(response: Response, url: string, deadline: Deadline): Response {
  if (response.body === null) {
    deadline.end()
    return response
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      deadline.restart()
      try {
        const { done, value } = await reader.read()
        deadline.pause()
        if (!done) return controller.enqueue(value)
        deadline.end()
        controller.close()
      } catch (cause) {
        deadline.end()
        throw deadline.stoppedByCaller ? cause : unanswered(url, cause, deadline)
      }
    },
    async cancel(reason) {
      deadline.end()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
