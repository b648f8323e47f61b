// The door of every endpoint: authentication, rate limit, scope; then the context that verbs are given.
import { databaseFor } from '../../platform/db/client.ts'
import { equalSecrets } from '../../platform/digest.ts'
import { Fault } from '../../platform/errors.ts'
import type { Endpoint, OpenContext } from '../../platform/http/endpoint.ts'
import type { Gate } from '../../platform/http/install.ts'
import { addressOf, limitRate, policyOf } from '../../platform/http/rate-limit.ts'
import { authenticate, unauthorized } from './authenticate.ts'

export const gate: Gate = async (endpoint, request, open) => {
  if (endpoint.access === 'organization') return organizationGate(endpoint, request, open)
  if (endpoint.access === 'operator') await operatorGate(request, open)
  return { context: open, headers: {} }
}

async function organizationGate(endpoint: Endpoint, request: Request, open: OpenContext) {
  const principal = await authenticate(open.env, request, open)
  if (principal.tier !== 'internal') await limitRate(open.env, principal.tier, principal.credentialId)
  if (principal.scope === 'read' && (endpoint.writes ?? endpoint.method !== 'GET')) {
    throw new Fault('read_only_key', 'This key may read, but not write.')
  }
  const db = databaseFor(open.env, principal.org.id, request.headers.get('x-d1-bookmark'))
  return {
    context: { ...open, org: principal.org, actor: principal.actor, principal, db },
    headers: policyOf(principal.tier),
  }
}

/** N12: closed where the deployment has no operator key; right and wrong keys are counted apart. */
async function operatorGate(request: Request, { env }: OpenContext): Promise<void> {
  if (!env.OPERATOR_KEY) throw new Fault('operator_closed', 'This deployment has no OPERATOR_KEY.')
  const sent = request.headers.get('X-Operator-Key')
  if (sent !== null && (await equalSecrets(sent, env.OPERATOR_KEY))) {
    return limitRate(env, 'high', `operator:${addressOf(request)}`)
  }
  if (sent !== null) await limitRate(env, 'address', `wrong-operator:${addressOf(request)}`)
  throw unauthorized()
}
