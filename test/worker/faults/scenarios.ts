// A call that goes well for every operation of the API, with what must be there before it.
import { routes } from '../../../src/app.ts'
import { KINDS, kindNamed } from '../../../src/kinds.ts'
import type { Operation } from '../../../src/platform/http/operation.ts'
import type { Kind } from '../../../src/platform/kind.ts'
import { type Json, newOrg, type TestOrg } from '../api.ts'
import { newAddress, newTeam } from '../sign-in/team.ts'
import { request, tasksOf, workflow } from '../workflows/runs.ts'
import { operatorHeaders, type Prepare, type Prepared, type Settings, uploaded } from './scenario.ts'
import { OPERATOR } from './scenarios-operator.ts'
import { PEOPLE } from './scenarios-people.ts'

export interface Scenario extends Settings {
  operation: Operation
  prepare(): Promise<Prepared>
}

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
    const isMade = kind.operations.includes('create') || kind.name === 'webhook'
    return [async org => ({ path: path.replace(/:\w+/, isMade ? (await make(org, kind)).id : 'AAAAAAAAAAAAAAAA') }), {}]
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

async function startedLoad(org: TestOrg): Promise<string> {
  const body = { loadType: ['COLOR'], fileLocation: (await uploaded(org)).body.id }
  return String((await org.post('/loader-processes', body)).body.id)
}

async function waitingTask(org: TestOrg): Promise<{ id: string; processId?: string }> {
  return org.make('/event-workflow-tasks', { name: 'wait', async: true })
}

/** Operations that are like no other. */
const SPECIAL: Record<string, [Prepare, Settings?]> = {
  search: [async () => ({ path: '/search?q=a' })],
  checkTypes: [
    async () => ({ path: '/types/check', body: { types: [{ typePath: 'item:described', properties: [] }] } }),
  ],
  getType: [async org => ({ path: `/types/${String((await make(org, kindNamed('type'))).typePath)}` })],
  createFile: [async () => ({ path: '/files?fileName=a.txt', raw: 'hello' })],
  deleteFile: [async org => ({ path: `/files/${(await uploaded(org)).body.id}` }), { done: [404] }],
  putFileContent: [
    async org => ({ path: `/files/${(await org.make('/files', { fileName: 'a' })).id}/content`, raw: 'hello' }),
    { done: [409] },
  ],
  getFile: [async org => ({ path: `/files/${(await uploaded(org)).body.id}` })],
  getFileContent: [async org => ({ path: `/files/${(await uploaded(org)).body.id}/content` })],
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
      body: { loadType: ['COLOR'], fileLocation: (await uploaded(org)).body.id },
    }),
  ],
  checkLoad: [
    async org => ({
      path: '/loader-processes/check',
      body: { loadType: ['COLOR'], fileLocation: (await uploaded(org)).body.id },
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
  const found =
    SPECIAL[operation.id] ?? OPERATOR[operation.id] ?? (isPlain ? plain : kind && entityScenario(kind, operation))
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
