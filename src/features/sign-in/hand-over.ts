// How a signed-in user gets the session: as a token in the response or, on our own pages, as a cookie (N45).
import { Fault } from '../../platform/errors.ts'
import type { Answer } from '../../platform/http/operation.ts'
import { SESSION_TTL_SECONDS } from '../../platform/limits.ts'
import { isOwnPage, sessionCookie } from '../auth/session-cookie.ts'

export async function handOver<S extends { accessToken: string }>(
  request: Request,
  asCookie: boolean | undefined,
  begin: () => Promise<S>,
): Promise<Answer> {
  if (!asCookie) return { body: await begin() }
  // A foreign page must not sign a user in here.
  if (!isOwnPage(request)) {
    throw new Fault('forbidden', 'Only pages of this service get a cookie. Leave `cookie` out to get a token.')
  }
  const { accessToken, ...body } = await begin()
  return { body, headers: { 'Set-Cookie': sessionCookie(request.url, accessToken, SESSION_TTL_SECONDS) } }
}
