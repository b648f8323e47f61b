// What the operator does, each act with what must be there before it.
import { inject } from 'vitest'
import { bury } from '../../../src/features/operator/dead-letters.ts'
import { sweepDeletedOrganizations } from '../../../src/features/operator/sweep.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, fetchWorker, operator } from '../api.ts'
import { asOperator, operatorHeaders, type Prepare, type Settings, uploaded } from './scenario.ts'

const ENDPOINT = {
  url: 'https://partner.example.com/',
  auth: { kind: 'header', name: 'X-Key', value: 'v' },
  events: ['item|create'],
}

export const OPERATOR: Record<string, [Prepare, Settings?]> = {
  createOrganization: [
    async () => {
      const slug = `made-${crypto.randomUUID().slice(0, 8)}`
      return { ...asOperator('/operator/orgs', { slug, name: 'Made', database: 'DB' }), org: { id: '', slug } }
    },
  ],
  updateOrganization: [async org => asOperator(`/operator/orgs/${org.slug}`, { name: 'New' })],
  setOrganizationTier: [async org => asOperator(`/operator/orgs/${org.slug}/tier`, { tier: 'high' })],
  rebuildSearchIndex: [async org => asOperator(`/operator/orgs/${org.slug}/search-index`)],
  beginBackup: [async org => asOperator(`/operator/orgs/${org.slug}/backups`)],
  moveOrganization: [
    async org => asOperator(`/operator/orgs/${org.slug}/move`, { database: 'DATA_01' }),
    { isStepwise: true },
  ],
  getOrganizationMove: [movingThen('')],
  cancelOrganizationMove: [movingThen('/cancel'), { isStepwise: true }],
  setOrganizationQuotas: [async org => asOperator(`/operator/orgs/${org.slug}/quotas`, { entities: 7 })],
  deleteOrganization: [
    async org => {
      await (await fetchWorker(`/api/operator/orgs/${org.slug}/export`, { headers: operatorHeaders })).text()
      return asOperator(`/operator/orgs/${org.slug}`)
    },
    { done: [404], isStepwise: true, finish: () => sweepDeletedOrganizations(env, Date.now()) },
  ],
  createOrganizationKey: [
    async org => asOperator(`/operator/orgs/${org.slug}/api-keys`, { name: 'more' }),
    { isRepeatedAnew: true },
  ],
  deleteOrganizationKey: [
    async org => {
      const { body } = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'more' })
      return asOperator(`/operator/orgs/${org.slug}/api-keys/${body.id}`)
    },
    { done: [204, 404] },
  ],
  createAccessToken: [
    async org => asOperator(`/operator/orgs/${org.slug}/tokens`, { name: 't' }),
    { isRepeatedAnew: true },
  ],
  deleteAccessToken: [
    async org => {
      const { body } = await operator('POST', `/orgs/${org.slug}/tokens`, { name: 't' })
      return asOperator(`/operator/orgs/${org.slug}/tokens/${body.id}`)
    },
    { done: [204, 404] },
  ],
  putIdentityProvider: [
    async org =>
      asOperator(`/operator/orgs/${org.slug}/identity-provider`, {
        issuer: inject('issuer'),
        clientId: 'c',
        clientSecret: 's',
      }),
  ],
  getIdentityProvider: [
    async org => {
      await operator('PUT', `/orgs/${org.slug}/identity-provider`, {
        issuer: inject('issuer'),
        clientId: 'c',
        clientSecret: 's',
      })
      return asOperator(`/operator/orgs/${org.slug}/identity-provider`)
    },
  ],
  deleteIdentityProvider: [
    async org => {
      await operator('PUT', `/orgs/${org.slug}/identity-provider`, {
        issuer: inject('issuer'),
        clientId: 'c',
        clientSecret: 's',
      })
      return asOperator(`/operator/orgs/${org.slug}/identity-provider`)
    },
    { done: [404] },
  ],
  putEndpoint: [async org => asOperator(`/operator/orgs/${org.slug}/endpoints/log`, ENDPOINT)],
  getEndpoint: [endpointThen(path => path)],
  listDeliveries: [endpointThen(path => `${path}/deliveries`)],
  deleteEndpoint: [endpointThen(path => path), { done: [404] }],
  resendDelivery: [
    async org => {
      await operator('PUT', `/orgs/${org.slug}/endpoints/log`, ENDPOINT)
      const id = await failedDelivery(org.id)
      return asOperator(`/operator/orgs/${org.slug}/endpoints/log/deliveries/${id}/resend`)
    },
  ],
  replayDeadLetter: [
    async org => {
      const id = newId()
      await bury(env, id, { kind: 'events', orgId: org.id }, Date.now())
      return asOperator(`/operator/dead-letters/${id}/replay`)
    },
    { done: [204, 404], isStepwise: true },
  ],
  exportFileContent: [
    async org => asOperator(`/operator/orgs/${org.slug}/export/files/${String((await uploaded(org)).body.id)}`),
  ],
}

function movingThen(rest: string): Prepare {
  return async org => {
    await operator('POST', `/orgs/${org.slug}/move`, { database: 'DATA_01' })
    return asOperator(`/operator/orgs/${org.slug}/move${rest}`)
  }
}

function endpointThen(pathOf: (path: string) => string): Prepare {
  return async org => {
    await operator('PUT', `/orgs/${org.slug}/endpoints/log`, ENDPOINT)
    return asOperator(pathOf(`/operator/orgs/${org.slug}/endpoints/log`))
  }
}

async function failedDelivery(orgId: string): Promise<string> {
  const id = newId()
  await env.DB.prepare(
    `INSERT INTO deliveries (id, org_id, endpoint_name, trigger_key, payload, status, attempts, due_on, ends_on, created_on, depth)
      VALUES (?1, ?2, 'log', 'item|create', '{}', 'failed', 3, 1, 1, ?3, 0)`,
  )
    .bind(id, orgId, Date.now())
    .run()
  return id
}
