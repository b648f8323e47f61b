// Wire shapes and endpoints of members.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { PageQuery, pageOf } from '../../platform/paging/page-query.ts'
import { Role } from '../auth/contract.ts'
import { User } from '../sign-in/contract.ts'

const Member = named('Member', User.extend({ joinedOn: z.iso.datetime() }))

const common = { tag: 'people', access: 'organization' } as const

export const listUsers = {
  id: 'listUsers',
  ...common,
  method: 'GET',
  path: '/users',
  summary: 'List the people of the organization',
  role: 'member',
  query: PageQuery,
  answer: pageOf(Member),
  status: 200,
} as const satisfies Operation

export const updateUser = {
  id: 'updateUser',
  ...common,
  method: 'PUT',
  path: '/users/:id',
  summary: 'Change the role of a member',
  role: 'admin',
  session: true,
  body: named('UpdateMember', z.strictObject({ role: Role }), { role: 'admin' }),
  answer: Member,
  status: 200,
  faults: ['conflict'],
} as const satisfies Operation

export const deleteUser = {
  id: 'deleteUser',
  ...common,
  method: 'DELETE',
  path: '/users/:id',
  summary: 'Remove a member; their sessions and user keys end at once',
  role: 'admin',
  session: true,
  status: 204,
  faults: ['conflict'],
} as const satisfies Operation
