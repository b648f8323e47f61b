// The operator's API over HTTP.
import { type Route, route } from '../../platform/http/operation.ts'
import { organization } from '../organizations/service.ts'
import { rebuild } from '../search/follow.ts'
import * as endpoint from './contract.ts'
import { databases } from './databases.ts'
import { listDeadLetters, replayDeadLetter } from './dead-letters.ts'
import { quotas, setQuotas } from './quotas.ts'
import { secretsByKey } from './secrets.ts'
import * as operator from './service.ts'
import { deploymentStatus } from './status.ts'
import * as status from './status-contract.ts'

const slugOf = (params: Record<string, string>) => params.slug ?? ''

export const operatorRoutes: Route[] = [
  route(status.getStatus, async context => ({ body: await deploymentStatus(context) })),
  route(status.listDatabases, async context => ({ body: await databases(context) })),
  route(status.listDeadLetters, async (context, { query }) => ({ body: await listDeadLetters(context, query) })),
  route(status.replayDeadLetter, async (context, { params }) => {
    await replayDeadLetter(context, params.id ?? '')
    return {}
  }),
  route(endpoint.createOrg, async (context, { body }) => ({
    body: await operator.createOrganization(context, body),
    headers: { Location: `/api/operator/orgs/${body.slug}` },
  })),
  route(endpoint.listOrgs, async (context, { query }) => ({
    body: await operator.listOrganizations(context, query),
  })),
  route(endpoint.getOrg, async (context, { params }) => ({
    body: operator.shownOrg(await organization(context, slugOf(params))),
  })),
  route(endpoint.updateOrg, async (context, { params, body }) => ({
    body: await operator.changeOrganization(context, slugOf(params), body),
  })),
  route(endpoint.setTier, async (context, { params, body }) => ({
    body: await operator.changeOrganization(context, slugOf(params), body),
  })),
  route(endpoint.rebuildSearch, async (context, { params }) => {
    const org = await organization(context, slugOf(params))
    await rebuild(context.env, org.id)
    return { body: operator.shownOrg(org) }
  }),
  route(endpoint.deleteOrg, async (context, { params }) => {
    await operator.deleteOrganization(context, slugOf(params))
    return {}
  }),
  route(endpoint.getSecrets, async context => ({ body: await secretsByKey(context) })),
  route(endpoint.getQuotas, async (context, { params }) => ({ body: await quotas(context, slugOf(params)) })),
  route(endpoint.setQuotas, async (context, { params, body }) => ({
    body: await setQuotas(context, slugOf(params), body),
  })),
  route(endpoint.createKey, async (context, { params, body }) => ({
    body: await operator.issueKey(context, slugOf(params), body),
  })),
  route(endpoint.listKeys, async (context, { params, query }) => ({
    body: await operator.listIssuedKeys(context, slugOf(params), query),
  })),
  route(endpoint.deleteKey, async (context, { params }) => {
    await operator.revokeIssuedKey(context, slugOf(params), params.id ?? '')
    return {}
  }),
  route(endpoint.createToken, async (context, { params, body }) => ({
    body: await operator.issueToken(context, slugOf(params), body),
  })),
  route(endpoint.listTokens, async (context, { params, query }) => ({
    body: await operator.listIssuedTokens(context, slugOf(params), query),
  })),
  route(endpoint.deleteToken, async (context, { params }) => {
    await operator.revokeIssuedToken(context, slugOf(params), params.id ?? '')
    return {}
  }),
]
