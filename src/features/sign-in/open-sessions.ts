// Open sessions, to be listed and ended (N45, N61): everybody the own ones, admins those of any member.
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import { timeText } from '../../platform/db/row.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { keysetPage } from '../../platform/paging/keyset.ts'
import { lastUseOf, revokeCredential } from '../auth/credentials.ts'
import { type CredentialRow, selectCredentials } from '../auth/store.ts'
import type { SessionsQuery } from './contract.ts'

export function listSessions({ env, org, principal, now }: Context, query: SessionsQuery) {
  const userId = query.userId ?? principal.userId ?? ''
  if (userId !== principal.userId && principal.role !== 'admin') {
    throw new Fault('forbidden', 'Sessions of others are for admins of the organization.')
  }
  return keysetPage(
    {
      belongsTo: JSON.stringify(['sessions', org.id, userId]),
      place: z.tuple([z.number(), z.string()]),
      placeOf: ({ createdOn, id }: CredentialRow) => [createdOn, id],
      read: (after, limit) =>
        selectCredentials(env, { orgId: org.id, kinds: ['session'], userId, aliveOn: now, after, limit }),
      show: row => ({
        id: row.id,
        userId: row.userId ?? '',
        method: row.name,
        createdOn: timeText(row.createdOn),
        lastUsedOn: lastUseOf(row),
        expiresOn: timeText(row.expiresOn ?? row.createdOn),
        isCurrent: row.id === principal.credentialId,
      }),
    },
    query,
  )
}

export async function endSession(context: Context, id: string): Promise<void> {
  const { org, principal, actor } = context
  const owner = { orgId: org.id, kinds: ['session' as const] }
  const mine = principal.role === 'admin' ? owner : { ...owner, userId: principal.userId ?? '' }
  await revokeCredential(context, mine, id, actor).catch(error => {
    throw error instanceof Fault && error.code === 'not_found' ? notFound('session') : error
  })
}
