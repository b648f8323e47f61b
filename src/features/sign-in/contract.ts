// Wire shapes and endpoints of signing in and of passwords (N10, N12).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PASSWORD_MAX_LENGTH } from '../../platform/limits.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { Email, Password, Role, Tier } from '../auth/contract.ts'

/** A password as typed: what it must look like is asked only when it is set. */
export const TypedPassword = z.string().min(1).max(PASSWORD_MAX_LENGTH)
export const OrgSlug = z.string().trim().min(1).max(63)
export const Token = z.string().trim().min(1).max(200)

export const AsCookie = z
  .boolean()
  .optional()
  .describe(
    'For pages of this service alone: the session goes into a cookie that no script can read, and no token is answered.',
  )

export const SignIn = named(
  'SignIn',
  z.strictObject({ email: Email, password: TypedPassword, orgSlug: OrgSlug, cookie: AsCookie }),
  { email: 'ann@example.com', password: 'a long password', orgSlug: 'acme' },
)
export type SignIn = z.output<typeof SignIn>

export const User = named('User', z.object({ id: z.string(), email: z.string(), role: Role }))

export const Session = named(
  'Session',
  z.object({
    accessToken: z
      .string()
      .optional()
      .describe('Goes into `Authorization: Bearer …`; shown this once. None where `cookie` was asked for.'),
    expiresOn: z.iso.datetime(),
    user: User,
    org: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
  }),
)

const Me = named(
  'Caller',
  z.object({
    credential: z.object({
      id: z.string(),
      kind: z.enum(['app', 'user', 'token', 'session']),
      expiresOn: z.iso.datetime().nullable(),
    }),
    org: z.object({ id: z.string(), slug: z.string() }),
    user: User.nullable(),
    role: Role.nullable(),
    scope: z.enum(['read', 'write']),
    tier: Tier,
  }),
)

export const ChangePassword = named(
  'ChangePassword',
  z.strictObject({ currentPassword: TypedPassword, newPassword: Password }),
  { currentPassword: 'a long password', newPassword: 'a longer password' },
)
export type ChangePassword = z.output<typeof ChangePassword>

export const ResetPassword = named('ResetPassword', z.strictObject({ token: Token, newPassword: Password }), {
  token: 'the token of the link',
  newPassword: 'a longer password',
})
export type ResetPassword = z.output<typeof ResetPassword>

const tag = 'people'

export const login = {
  id: 'signIn',
  tag,
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in with email and password',
  description:
    'Wrong passwords are slowed down: after five for an account, each doubles the wait (429 with `Retry-After`), up to 15 minutes.',
  access: 'anybody',
  limitedByAddress: 'sign-in',
  issuesCredential: true,
  body: SignIn,
  answer: Session,
  status: 200,
  faults: ['unauthorized', 'forbidden', 'organization_suspended'],
} as const satisfies Operation

export const logout = {
  id: 'signOut',
  tag,
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session at once',
  access: 'organization',
  role: 'member',
  session: true,
  status: 204,
} as const satisfies Operation

const OpenSession = named(
  'OpenSession',
  z.object({
    id: z.string(),
    userId: z.string(),
    method: z.string().describe('How it began: password, invitation or single sign-on.'),
    createdOn: z.iso.datetime(),
    lastUsedOn: z.iso.datetime().nullable().describe('Kept to the hour.'),
    expiresOn: z.iso.datetime(),
    isCurrent: z.boolean().describe('Whether it is the one that asks.'),
  }),
)

export const SessionsQuery = PageQuery.extend({
  userId: z
    .string()
    .max(100)
    .optional()
    .describe('The member whose sessions to list: for admins. Default: the own ones.'),
})
export type SessionsQuery = z.output<typeof SessionsQuery>

export const getSessions = {
  id: 'listSessions',
  tag,
  method: 'GET',
  path: '/auth/sessions',
  summary: 'List open sessions, newest first: the own ones, or for admins those of a member',
  access: 'organization',
  role: 'member',
  query: SessionsQuery,
  answer: pageOf(OpenSession),
  status: 200,
} as const satisfies Operation

export const deleteSession = {
  id: 'endSession',
  tag,
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'End a session at once: an own one, or for admins that of any member',
  access: 'organization',
  role: 'member',
  status: 204,
} as const satisfies Operation

export const me = {
  id: 'getMe',
  tag,
  method: 'GET',
  path: '/auth/me',
  summary: 'Who is calling: person or key, organization, role, scope and rate tier',
  access: 'organization',
  forLimitedKeys: true,
  answer: Me,
  status: 200,
} as const satisfies Operation

export const putPassword = {
  id: 'changePassword',
  tag,
  method: 'PUT',
  path: '/auth/password',
  summary: 'Change the own password in this organization; all other sessions and all own `user:` keys end',
  access: 'organization',
  role: 'member',
  session: true,
  body: ChangePassword,
  status: 204,
} as const satisfies Operation

export const createReset = {
  id: 'createPasswordReset',
  tag: 'operator',
  method: 'POST',
  path: '/operator/orgs/:slug/password-reset',
  summary: 'Make a one-time link by which a member sets a new password',
  access: 'operator',
  issuesCredential: true,
  body: named('CreatePasswordReset', z.strictObject({ email: Email }), { email: 'ann@example.com' }),
  answer: named('PasswordReset', z.object({ token: z.string(), resetUrl: z.string(), expiresOn: z.iso.datetime() })),
  status: 201,
  faults: ['not_found'],
} as const satisfies Operation

export const useReset = {
  id: 'resetPassword',
  tag,
  method: 'POST',
  path: '/auth/password-reset',
  summary: 'Set a new password with the token of a one-time link; all sessions and `user:` keys end',
  access: 'anybody',
  limitedByAddress: 'sign-in',
  issuesCredential: true,
  body: ResetPassword,
  status: 204,
  faults: ['not_found'],
} as const satisfies Operation
