// Wire shapes and endpoints of invitations.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { Email, Password, Role } from '../auth/contract.ts'
import { AsCookie, Session, Token } from '../sign-in/contract.ts'

const Invitation = named(
  'Invitation',
  z.object({
    id: z.string(),
    email: z.string(),
    role: Role,
    createdOn: z.iso.datetime(),
    createdById: z.string(),
    expiresOn: z.iso.datetime(),
    acceptedOn: z.iso.datetime().nullable(),
    revokedOn: z.iso.datetime().nullable(),
  }),
)

export const Invite = named('CreateInvitation', z.strictObject({ email: Email, role: Role.default('member') }), {
  email: 'ben@example.com',
  role: 'member',
})
export type Invite = z.output<typeof Invite>

export const Accept = named(
  'AcceptInvitation',
  z.strictObject({ token: Token, password: Password, cookie: AsCookie }),
  {
    token: 'the token of the link',
    password: 'a long password',
  },
)
export type Accept = z.output<typeof Accept>

const common = { tag: 'people', access: 'organization' } as const

export const createInvitation = {
  id: 'createInvitation',
  ...common,
  method: 'POST',
  path: '/invitations',
  summary: 'Invite a person; the one-time link is shown this once, to be handed over',
  role: 'admin',
  session: true,
  issuesCredential: true,
  body: Invite,
  answer: named('IssuedInvitation', Invitation.extend({ token: z.string(), acceptUrl: z.string() })),
  status: 201,
  faults: ['duplicate', 'conflict'],
} as const satisfies Operation

export const listInvitations = {
  id: 'listInvitations',
  ...common,
  method: 'GET',
  path: '/invitations',
  summary: 'List invitations, newest first',
  role: 'admin',
  query: PageQuery,
  answer: pageOf(Invitation),
  status: 200,
} as const satisfies Operation

export const deleteInvitation = {
  id: 'deleteInvitation',
  ...common,
  method: 'DELETE',
  path: '/invitations/:id',
  summary: 'Revoke an open invitation',
  role: 'admin',
  session: true,
  status: 204,
} as const satisfies Operation

export const acceptInvitation = {
  id: 'acceptInvitation',
  tag: 'people',
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Join an organization by the token of an invitation, and sign in',
  description: 'The password counts in this organization alone.',
  access: 'anybody',
  limitedByAddress: 'sign-in',
  issuesCredential: true,
  body: Accept,
  answer: Session,
  status: 201,
  faults: ['organization_suspended', 'forbidden', 'not_found'],
} as const satisfies Operation
