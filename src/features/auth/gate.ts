// What every call passes first: authentication, rate limit, scope; then the context that verbs are given.

import { chainDepth } from '../../platform/chain.ts'
import type { OpenContext, Principal } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { equalSecrets } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import type { Gate } from '../../platform/http/mount.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { addressOf, FROM_ADDRESS, limitKey, limitRate, networkOf, policyOf } from '../../platform/http/rate-limit.ts'
import { checkAddress, checkEntityType } from '../../platform/key-limits.ts'
import { wakeSearchSoon } from '../../platform/wake/search.ts'
import { announce, keepWatch } from '../../platform/wake/watch.ts'
import { OPERATOR } from '../audit/entry.ts'
import { activeOrganization } from '../organizations/service.ts'
import { authenticate, unauthorized } from './authenticate.ts'
import { looksLikeTaskToken, ownerOfTaskToken } from './task-token.ts'

export const gate: Gate = async (operation, request, open) => {
  if (operation.limitedByAddress) {
    await limitRate(open.env, 'address', `${operation.limitedByAddress}:${networkOf(addressOf(request))}`)
  }
  if (operation.access === 'organization') return organizationGate(operation, request, open)
  if (operation.access === 'task') return taskGate(operation, request, open)
  if (operation.access === 'operator')
    return { context: { ...open, operator: await operatorGate(request, open) }, headers: {} }
  return { context: open, headers: {} }
}

async function organizationGate(operation: Operation, request: Request, open: OpenContext) {
  const isStrict = operation.session || operation.issuesCredential
  return letIn(operation, request, open, await authenticate(open.env, request, { ...open, isStrict }))
}

async function letIn(operation: Operation, request: Request, open: OpenContext, principal: Principal) {
  await limitKey(open.env, principal.tier, principal.credentialId, principal.org.id)
  if (principal.scope === 'read' && (operation.writes ?? operation.method !== 'GET')) {
    throw new Fault('read_only_key', 'This key may read, but not write.')
  }
  checkAddress(principal, addressOf(request))
  checkEntityType(operation, principal)
  checkPerson(operation, principal)
  const { org, actor } = principal
  // What is written is decided at the primary: only reading may be done at a replica, by who says how far it has seen.
  const bookmark = operation.method === 'GET' ? request.headers.get('x-d1-bookmark') : null
  const db = databaseFor(open.env, org.id, bookmark)
  const watching = {
    announce: () => open.defer(announce(open.env, org.id, open.now)),
    committed: () => open.defer(wakeSearchSoon(open.env, org.id)),
    keepWatch: () => keepWatch(open.env, org.id),
  }
  const depth = await chainDepth(open.env, request)
  const chained = depth > 0 ? { chainDepth: depth } : {}
  return { context: { ...open, org, actor, principal, db, ...watching, ...chained }, headers: policyOf(principal.tier) }
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
    throw new Fault('forbidden', 'This call needs a member of the organization; an app key is not enough.')
  }
  if (role === 'admin' && principal.role !== 'admin') {
    throw new Fault('forbidden', 'This is for admins of the organization.')
  }
  if (session && principal.credentialKind !== 'session') {
    throw new Fault('forbidden', 'This call needs a session: sign in first. A key is not enough.')
  }
}

const OPERATOR_KEY_MIN_LENGTH = 20
const OPERATOR_ENTRY = new RegExp(`^([a-z0-9][a-z0-9._-]{0,62})=(\\S{${OPERATOR_KEY_MIN_LENGTH},})$`, 'i')

/** An empty or short one, as a form may have left it, opens nothing. */
function isStrong(key: string | undefined): key is string {
  return key !== undefined && key.length >= OPERATOR_KEY_MIN_LENGTH
}

/** The owner's, and those of named operators; an entry that is none is as if it were not there. */
function operatorKeys({ OPERATOR_KEY, OPERATOR_KEYS = '' }: OpenContext['env']) {
  const named = OPERATOR_KEYS.split(/\s+/).flatMap(entry => {
    const [, name, key] = OPERATOR_ENTRY.exec(entry) ?? []
    return name && key ? [{ name, key }] : []
  })
  return isStrong(OPERATOR_KEY) ? [{ name: OPERATOR.id, key: OPERATOR_KEY }, ...named] : named
}

/** N12: closed where the deployment has no operator key; right and wrong keys are counted apart. */
async function operatorGate(request: Request, { env }: OpenContext): Promise<string> {
  const keys = operatorKeys(env)
  if (keys.length === 0) {
    throw new Fault(
      'operator_closed',
      `This deployment has no OPERATOR_KEY of at least ${OPERATOR_KEY_MIN_LENGTH} characters.`,
    )
  }
  const sent = request.headers.get('X-Operator-Key')
  const known =
    sent === null ? [] : await Promise.all(keys.map(async ({ name, key }) => (await equalSecrets(sent, key)) && name))
  const name = known.find(one => one !== false)
  if (name) {
    await limitRate(env, 'high', `operator:${networkOf(addressOf(request))}`, FROM_ADDRESS)
    return name
  }
  if (sent !== null) await limitRate(env, 'address', `wrong-operator:${networkOf(addressOf(request))}`)
  throw unauthorized()
}
