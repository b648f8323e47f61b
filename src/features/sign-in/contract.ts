// Wire shapes and endpoints of signing in and of passwords (N10, N12).
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PASSWORD_MAX_LENGTH } from '../../platform/limits.ts'
import { Email, Password, Role, Tier } from '../auth/contract.ts'

/** A password as typed: what it must look like is asked only when it is set. */
export const TypedPassword = z.string().min(1).max(PASSWORD_MAX_LENGTH)
export const OrgSlug = z.string().trim().min(1).max(63)
export const Token = z.string().trim().min(1).max(200)

export const SignIn = named('SignIn', z.strictObject({ email: Email, password: TypedPassword, orgSlug: OrgSlug }), {
  email: 'ann@example.com',
  password: 'a long password',
  orgSlug: 'acme',
})
export type SignIn = z.output<typeof SignIn>

export const User = named('User', z.object({ id: z.string(), email: z.string(), role: Role }))

export const Session = named(
  'Session',
  z.object({
    accessToken: z.string().describe('Goes into `Authorization: Bearer …`; shown this once.'),
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
  faults: ['unauthorized', 'organization_suspended'],
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
  summary: 'Change the own password in this organization; all other sessions end',
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
  summary: 'Set a new password with the token of a one-time link; all sessions end',
  access: 'anybody',
  limitedByAddress: 'sign-in',
  issuesCredential: true,
  body: ResetPassword,
  status: 204,
  faults: ['not_found'],
} as const satisfies Operation
