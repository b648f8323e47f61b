// The door of every endpoint: authentication, rate limit, scope; then the context that verbs are given.
import type { Principal } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { equalSecrets } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import type { Endpoint, OpenContext } from '../../platform/http/endpoint.ts'
import type { Gate } from '../../platform/http/install.ts'
import { addressOf, limitRate, networkOf, policyOf } from '../../platform/http/rate-limit.ts'
import { authenticate, unauthorized } from './authenticate.ts'

export const gate: Gate = async (endpoint, request, open) => {
  if (endpoint.limitedByAddress) {
    await limitRate(open.env, 'address', `${endpoint.limitedByAddress}:${networkOf(addressOf(request))}`)
  }
  const entered = endpoint.access === 'organization' ? await organizationGate(endpoint, request, open) : undefined
  if (endpoint.access === 'operator') await operatorGate(request, open)
  if (endpoint.issuesCredential && request.headers.has('Idempotency-Key')) {
    throw new Fault('invalid_input', 'Idempotency-Key is not taken here: the answer holds a secret and is never kept.')
  }
  return entered ?? { context: open, headers: {} }
}

async function organizationGate(endpoint: Endpoint, request: Request, open: OpenContext) {
  const principal = await authenticate(open.env, request, open)
  if (principal.tier !== 'internal') await limitRate(open.env, principal.tier, principal.credentialId)
  if (principal.scope === 'read' && (endpoint.writes ?? endpoint.method !== 'GET')) {
    throw new Fault('read_only_key', 'This key may read, but not write.')
  }
  checkPerson(endpoint, principal)
  const db = databaseFor(open.env, principal.org.id, request.headers.get('x-d1-bookmark'))
  return {
    context: { ...open, org: principal.org, actor: principal.actor, principal, db },
    headers: policyOf(principal.tier),
  }
}

/** N10: who may call is declared on the endpoint. */
function checkPerson({ role, session }: Endpoint, principal: Principal): void {
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
