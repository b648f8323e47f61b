// Calls of whoever is not signed in yet: by password or by the token of a link. Never repeated.
import { ApiError } from '../../typescript/index.ts'
import { BASE_URL } from './session.ts'

interface Problem {
  code?: string
  detail?: string
  requestId?: string
  errors?: { path: string; message: string }[]
}

export async function postOpen(path: string, body: object): Promise<void> {
  let response: Response
  try {
    response = await fetch(BASE_URL + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  } catch (cause) {
    throw new ApiError({ status: 0, code: 'connection_failed', message: 'The service did not answer.', cause })
  }
  if (response.ok) {
    // Unread, it would hold its connection.
    await response.text()
    return
  }
  const problem = (await response.json().catch(() => ({}))) as Problem
  throw new ApiError({
    status: response.status,
    code: problem.code ?? 'unknown',
    message: problem.detail ?? `The service answered ${response.status}.`,
    requestId: problem.requestId,
    errors: problem.errors,
  })
}
