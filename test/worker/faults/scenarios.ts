// A call that goes well for every operation of the API, with what must be there before it.
import { inject } from 'vitest'
import { routes } from '../../../src/app.ts'
import { bury } from '../../../src/features/operator/dead-letters.ts'
import { sweepDeletedOrganizations } from '../../../src/features/operator/sweep.ts'
import { KINDS, kindNamed } from '../../../src/kinds.ts'
import type { Operation } from '../../../src/platform/http/operation.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Kind } from '../../../src/platform/kind.ts'
import { env, fetchWorker, type Json, newOrg, operator, type TestOrg } from '../api.ts'
import { newAddress, newTeam } from '../sign-in/team.ts'
import { request, tasksOf, workflow } from '../workflows/runs.ts'
import { asOperator, operatorHeaders, type Prepared, type Settings, type Told } from './scenario.ts'
import { PEOPLE } from './scenarios-people.ts'

export interface Scenario extends Settings {
  operation: Operation
  prepare(): Promise<Prepared>
}

type Prepare = (org: TestOrg) => Promise<Told>

async function make(org: TestOrg, kind: Kind): Promise<Json & { id: string }> {
  return org.make(kind.name === 'webhook' ? '/webhooks' : `/${kind.path}`, await bodyOf(org, kind))
}

async function bodyOf(org: TestOrg, kind: Kind): Promise<Json> {
  if (kind.name === 'webhook') return { name: 'hook' }
  if (kind.name === 'event-workflow')
    return { name: 'flow', triggerKey: 'go', paths: [{ tasks: [{ name: 'one', action: 'wait' }] }] }
  const { federatedId: _, identifier: __, memberAssortmentIds: ___, ...own }: Json = { ...kind.example }
  for (const { field, target, list } of kind.references) {
    const isRequired = kind.fields[field]?.safeParse(undefined).success === false
    if (isRequired && !list) own[field] = (await make(org, kindNamed(target))).id
    else delete own[field]
  }
  if (!kind.ownRoot) own.typePath = 'item:described'
  return own
}

/** The generic operations of an entity type, by method and what the path ends with. */
function entityScenario(kind: Kind, { method, path }: Operation): [Prepare, Settings] | undefined {
  const base = `/${kind.path}`
  const isBatch = path.endsWith('/batch')
  if (method === 'GET') {
    return [
      async org => ({
        path: path.replace(
          /:\w+/,
          kind.operations.includes('create') ? (await make(org, kind)).id : 'AAAAAAAAAAAAAAAA',
        ),
      }),
      {},
    ]
  }
  if (method === 'POST' && path.endsWith('/restore')) {
    return [
      async org => {
        const { id } = await make(org, kind)
        await org.put(`${base}/${id}`, { name: 'second' })
        return { path: `${base}/${id}/restore`, body: { version: 1 } }
      },
      {},
    ]
  }
  if (method === 'POST') {
    return [
      async org => {
        const body = await bodyOf(org, kind)
        return { path: isBatch ? `${base}/batch` : base, body: isBatch ? [body] : body }
      },
      {},
    ]
  }
  if (method === 'PUT') {
    return [
      async org => {
        const { id } = await make(org, kind)
        return isBatch
          ? { path: `${base}/batch`, body: [{ id, name: 'new' }] }
          : { path: `${base}/${id}`, body: { name: 'new' } }
      },
      {},
    ]
  }
  return [
    async org => {
      const { id } = await make(org, kind)
      return isBatch ? { path: `${base}/batch`, body: [id] } : { path: `${base}/${id}` }
    },
    { done: [404] },
  ]
}

const file = (org: TestOrg, text = 'federatedId,name\nc1,Red\n') =>
  org.call('POST', '/files?fileName=a.csv', { body: text, headers: { 'Content-Type': 'text/csv' } })

async function startedLoad(org: TestOrg): Promise<string> {
  const body = { loadType: ['COLOR'], fileLocation: (await file(org)).body.id }
  return String((await org.post('/loader-processes', body)).body.id)
}

async function waitingTask(org: TestOrg): Promise<{ id: string; processId?: string }> {
  return org.make('/event-workflow-tasks', { name: 'wait', async: true })
}

const ENDPOINT = {
  url: 'https://partner.example.com/',
  auth: { kind: 'header', name: 'X-Key', value: 'v' },
  events: ['item|create'],
}

/** Operations that are like no other. */
const SPECIAL: Record<string, [Prepare, Settings?]> = {
  createOrganization: [
    async () => {
      const slug = `made-${crypto.randomUUID().slice(0, 8)}`
      return { ...asOperator('/operator/orgs', { slug, name: 'Made' }), org: { id: '', slug } }
    },
  ],
  search: [async () => ({ path: '/search?q=a' })],
  updateOrganization: [async org => asOperator(`/operator/orgs/${org.slug}`, { name: 'New' })],
  setOrganizationTier: [async org => asOperator(`/operator/orgs/${org.slug}/tier`, { tier: 'high' })],
  rebuildSearchIndex: [async org => asOperator(`/operator/orgs/${org.slug}/search-index`)],
  beginBackup: [async org => asOperator(`/operator/orgs/${org.slug}/backups`)],
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
  checkTypes: [
    async () => ({ path: '/types/check', body: { types: [{ typePath: 'item:described', properties: [] }] } }),
  ],
  exportFileContent: [
    async org => asOperator(`/operator/orgs/${org.slug}/export/files/${String((await file(org)).body.id)}`),
  ],
  getType: [async org => ({ path: `/types/${String((await make(org, kindNamed('type'))).typePath)}` })],
  createFile: [async () => ({ path: '/files?fileName=a.txt', raw: 'hello' })],
  deleteFile: [async org => ({ path: `/files/${(await file(org)).body.id}` }), { done: [404] }],
  putFileContent: [
    async org => ({ path: `/files/${(await org.make('/files', { fileName: 'a' })).id}/content`, raw: 'hello' }),
    { done: [409] },
  ],
  getFile: [async org => ({ path: `/files/${(await file(org)).body.id}` })],
  getFileContent: [async org => ({ path: `/files/${(await file(org)).body.id}/content` })],
  putFilePart: [
    async org => ({
      path: `/files/${(await org.make('/files', { fileName: 'a' })).id}/parts?partNumber=1`,
      raw: 'hello',
    }),
    { isStepwise: true },
  ],
  completeFile: [
    async org => {
      const { id } = await org.make('/files', { fileName: 'a' })
      await org.call('POST', `/files/${id}/parts?partNumber=1`, {
        body: 'hello',
        headers: { 'Content-Type': 'text/plain' },
      })
      return { path: `/files/${id}/complete` }
    },
  ],
  startLoad: [
    async org => ({
      path: '/loader-processes',
      body: { loadType: ['COLOR'], fileLocation: (await file(org)).body.id },
    }),
  ],
  cancelLoad: [async org => ({ path: `/loader-processes/${await startedLoad(org)}/cancel` })],
  getLoaderProcess: [async org => ({ path: `/loader-processes/${await startedLoad(org)}` })],
  restoreChanges: [
    async org => {
      const { id } = await make(org, kindNamed('item'))
      await org.put(`/items/${id}`, { name: 'second' })
      const body = { criteria: { entityType: 'item' }, since: '2020-01-01T00:00:00.000Z' }
      return { path: '/change-history/restore', body }
    },
  ],
  publishAssortment: [
    async org => ({ path: `/assortments/${(await make(org, kindNamed('assortment'))).id}/publish` }),
    { isStepwise: true },
  ],
  callBack: [
    async org => ({
      path: '/external-events/callback/',
      body: { taskId: (await waitingTask(org)).id, status: 'SUCCESS', logs: 'done', output: { a: 1 } },
    }),
  ],
  createEventWorkflowTask: [async () => ({ path: '/event-workflow-tasks', body: { name: 'wait', async: true } })],
  updateEventWorkflowTask: [
    async org => ({ path: `/event-workflow-tasks/${(await waitingTask(org)).id}`, body: { subtext: 'new' } }),
  ],
  getEventWorkflowTask: [async org => ({ path: `/event-workflow-tasks/${(await waitingTask(org)).id}` })],
  requestEventWorkflows: [
    async org => {
      await workflow(org, [{ name: 'one', action: 'wait', async: true }])
      return { path: '/event-workflow-requests', body: { triggerKey: 'go', event: {} } }
    },
  ],
  cancelEventWorkflowProcess: [
    async org => {
      await workflow(org, [{ name: 'one', action: 'wait', async: true }])
      const [run] = await request(org, 'go')
      return { path: `/event-workflow-processes/${run?.id}/cancel` }
    },
  ],
  getEventWorkflowProcess: [
    async org => {
      await workflow(org, [{ name: 'one', action: 'wait', async: true }])
      const [run] = await request(org, 'go')
      await tasksOf(org, run?.id ?? '')
      return { path: `/event-workflow-processes/${run?.id}` }
    },
  ],
  createWebhook: [async () => ({ path: '/webhooks', body: { name: 'hook' } }), { isRepeatedAnew: true }],
  triggerWebhook: [
    async org => {
      const hook = await org.make('/webhooks', { name: 'hook' })
      await workflow(org, [{ name: 'one', action: 'wait' }], { triggerKey: String(hook.triggerKey) })
      return { path: `/trigger-webhooks/${String(hook.triggerUrl).split('/').at(-1)}`, body: { a: 1 }, headers: {} }
    },
    { isRepeatedAnew: true },
  ],
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

/** Conversations of many calls: with an identity provider, with an agent, over an archive. Each has tests of its own. */
export const LEFT_OUT = [
  ...['startSingleSignOn', 'finishSingleSignOn', 'fetchSession', 'mcp'],
  ...['beginRestore', 'getRestore', 'putRestorePart', 'completeRestore', 'abandonRestore', 'downloadBackup'],
]
/** Their work is that of a process, which the steps below hold; the call itself is like that of a load. */
export const OF_REVERTS = ['revertLoad', 'cancelRevert', 'getRevertProcess', 'getAssortmentPublish']

function scenarioOf(operation: Operation): Scenario | undefined {
  const person = PEOPLE[operation.id]
  if (person) {
    const [prepare, settings] = person
    return {
      operation,
      ...settings,
      prepare: async () => {
        const { admin, join, slug, id } = await newTeam()
        const told = await prepare(admin, join, slug)
        return { org: { id, slug }, headers: admin.headers, ...told }
      },
    }
  }
  const [, first = ''] = operation.path.split('/')
  const kind = KINDS.find(candidate => candidate.path === first)
  const path = operation.path
  const isPlain = operation.method === 'GET' && !/:(?!slug)/.test(path)
  const plain: [Prepare, Settings] = [
    async org => {
      const told = { path: path.replace(':slug', org.slug) }
      return operation.access === 'operator' ? { ...told, headers: operatorHeaders } : told
    },
    {},
  ]
  const found = SPECIAL[operation.id] ?? (isPlain ? plain : kind && entityScenario(kind, operation))
  if (!found) return undefined
  const [prepare, settings] = found
  return {
    operation,
    ...settings,
    prepare: async () => {
      const org = await newOrg()
      const told = await prepare(org)
      return { org, headers: { ...org.headers, 'CF-Connecting-IP': newAddress() }, ...told }
    },
  }
}

export const SCENARIOS: (Scenario | string)[] = routes
  .map(({ operation }) => operation)
  .filter(({ id }) => !LEFT_OUT.includes(id) && !OF_REVERTS.includes(id))
  .map(operation => scenarioOf(operation) ?? operation.id)
