// What every call passes first: authentication, rate limit, scope; then the context that verbs are given.

import type { OpenContext, Principal } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { equalSecrets } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import type { Gate } from '../../platform/http/mount.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { addressOf, limitKey, limitRate, networkOf, policyOf } from '../../platform/http/rate-limit.ts'
import { announce, keepWatch } from '../../platform/wake/watch.ts'
import { activeOrganization } from '../organizations/organizations.ts'
import { authenticate, unauthorized } from './authenticate.ts'
import { looksLikeTaskToken, ownerOfTaskToken } from './task-token.ts'

export const gate: Gate = async (operation, request, open) => {
  if (operation.limitedByAddress) {
    await limitRate(open.env, 'address', `${operation.limitedByAddress}:${networkOf(addressOf(request))}`)
  }
  if (operation.access === 'organization') return organizationGate(operation, request, open)
  if (operation.access === 'task') return taskGate(operation, request, open)
  if (operation.access === 'operator') await operatorGate(request, open)
  return { context: open, headers: {} }
}

async function organizationGate(operation: Operation, request: Request, open: OpenContext) {
  return letIn(operation, request, open, await authenticate(open.env, request, open))
}

async function letIn(operation: Operation, request: Request, open: OpenContext, principal: Principal) {
  await limitKey(open.env, principal.tier, principal.credentialId, principal.org.id)
  if (principal.scope === 'read' && (operation.writes ?? operation.method !== 'GET')) {
    throw new Fault('read_only_key', 'This key may read, but not write.')
  }
  checkPerson(operation, principal)
  const { org, actor } = principal
  const db = databaseFor(open.env, org.id, request.headers.get('x-d1-bookmark'))
  const watching = {
    announce: () => open.defer(announce(open.env, org.id, open.now)),
    keepWatch: () => keepWatch(open.env, org.id),
  }
  return { context: { ...open, org, actor, principal, db, ...watching }, headers: policyOf(principal.tier) }
}

/** A task's own token stands for its organization in the one call that takes it (N39). */
async function taskGate(operation: Operation, request: Request, open: OpenContext) {
  const token = /^bearer +(\S+)$/i.exec(request.headers.get('Authorization')?.trim() ?? '')?.[1]
  if (!token || !looksLikeTaskToken(token)) return organizationGate(operation, request, open)
  const owner = await ownerOfTaskToken(open.env, token)
  const org = owner && (await activeOrganization(open.env, owner.orgId, open.now))
  const slug = request.headers.get('X-Api-Org')?.trim()
  if (!org || (slug !== undefined && slug !== org.slug)) {
    await limitRate(open.env, 'address', `wrong-key:${networkOf(addressOf(request))}`)
    throw unauthorized()
  }
  if (request.headers.has('X-Api-Key')) {
    const headers = new Headers(request.headers)
    headers.delete('Authorization')
    const beside = await authenticate(open.env, new Request(request.url, { headers }), open)
    if (beside.org.id !== org.id) throw unauthorized()
  }
  return letIn(operation, request, open, {
    credentialId: owner.taskId,
    credentialKind: 'token',
    org,
    actor: { id: owner.taskId, type: 'app' },
    userId: null,
    role: null,
    scope: 'write',
    tier: 'standard',
    suspended: false,
    expiresOn: null,
    taskId: owner.taskId,
  })
}

/** N10: who may call is declared on the operation. */
function checkPerson({ role, session }: Operation, principal: Principal): void {
  if (role && principal.role === null) {
    throw new Fault('forbidden', 'This is for people of the organization, not for keys that belong to nobody.')
  }
  if (role === 'admin' && principal.role !== 'admin') {
    throw new Fault('forbidden', 'This is for admins of the organization.')
  }
  if (session && principal.credentialKind !== 'session') {
    throw new Fault('forbidden', 'This needs somebody who has signed in; a key is not enough.')
  }
}

/** N12: closed where the deployment has no operator key; right and wrong keys are counted apart. */
async function operatorGate(request: Request, { env }: OpenContext): Promise<void> {
  if (!env.OPERATOR_KEY) throw new Fault('operator_closed', 'This deployment has no OPERATOR_KEY.')
  const sent = request.headers.get('X-Operator-Key')
  if (sent !== null && (await equalSecrets(sent, env.OPERATOR_KEY))) {
    return limitRate(env, 'high', `operator:${networkOf(addressOf(request))}`)
  }
  if (sent !== null) await limitRate(env, 'address', `wrong-operator:${networkOf(addressOf(request))}`)
  throw unauthorized()
}
