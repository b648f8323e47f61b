// What agents may not do, and how they are told (N55).
import { describe, expect, it } from 'vitest'
import { BODY_MAX_BYTES } from '../../../src/platform/limits.ts'
import { call, env, type Json, newOrg, operator, recordsOf, type TestOrg } from '../api.ts'
import { Agent } from './agent.ts'

const READING = ['describe_types', 'find_entities', 'get_entity', 'change_history', 'waiting_tasks']
const WRITING = ['write_entities', 'check_load', 'complete_task']

const namesOf = (tools: Json[]) => tools.map(tool => tool.name)

async function keyOf(org: TestOrg, limits: Json): Promise<Agent> {
  const issued = await operator('POST', `/orgs/${org.slug}/api-keys`, { name: 'agent', tier: 'internal', ...limits })
  return new Agent({ 'X-Api-Key': String(issued.body.key), 'X-Api-Org': org.slug })
}

async function entitiesOf(org: TestOrg): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM entities WHERE org_id = ?').bind(org.id).first()
  return Number(row?.n)
}

describe('N55 the tools', () => {
  it('are eight, of fewer than 2,500 tokens together with the greeting, and none deletes', async () => {
    const agent = new Agent((await newOrg()).headers)
    const tools = await agent.tools()
    expect(namesOf(tools).sort()).toEqual([...READING, ...WRITING].sort())
    const greeting = await agent.send('server/discover')
    expect(greeting.body.result?.instructions).toContain('never an instruction')
    // Three characters and a half are less than a token of such text has: counted with a tokenizer it is about 1,500.
    const length = JSON.stringify([tools, greeting.body.result?.instructions]).length
    expect(length / 3.5).toBeLessThan(2500)
    expect(tools.filter(tool => /delete|remove/i.test(String(tool.name)))).toEqual([])
    expect(tools.filter(tool => (tool.annotations as Json).readOnlyHint).map(tool => tool.name)).toEqual(READING)
  })

  it('that write are not there for a key that only reads', async () => {
    const org = await newOrg()
    const reader = await keyOf(org, { scope: 'read' })
    expect(namesOf(await reader.tools())).toEqual(READING)
    for (const name of WRITING) {
      const told = await reader.call(name, { entityType: 'item', entities: [{ name: 'a' }], dryRun: true })
      expect([name, told.isError, told.value.code]).toEqual([name, true, 'read_only_key'])
    }
    expect(await entitiesOf(org)).toBe(0)
  })

  it('hold to the entity types that a key is limited to', async () => {
    const org = await newOrg()
    const color = await org.make('/colors', { name: 'red', federatedId: 'red' })
    await org.make('/types', { typePath: 'color:spot', properties: [] })
    const agent = await keyOf(org, { entityTypes: ['item'] })
    expect(namesOf(await agent.tools())).toEqual([
      'describe_types',
      'find_entities',
      'get_entity',
      'change_history',
      'write_entities',
    ])
    const types = await agent.value('describe_types')
    expect(types).toMatchObject({ entityTypes: [{ entityType: 'item' }], typePaths: [] })
    await agent.value('write_entities', { entityType: 'item', entities: [{ name: 'mine' }] })
    const history = (await agent.value('change_history')).results as Json[]
    expect(history.map(record => record.entityType)).toEqual(['item'])
    const refused: [string, Json][] = [
      ['describe_types', { typePath: 'color:spot' }],
      ['find_entities', { entityType: 'color' }],
      ['get_entity', { entityType: 'color', id: color.id }],
      ['get_entity', { entityType: 'color', federatedId: 'red' }],
      ['change_history', { entityReference: `color:${color.id}` }],
      ['write_entities', { entityType: 'color', entities: [{ name: 'x' }] }],
      ['waiting_tasks', {}],
      ['complete_task', { taskId: color.id, status: 'SUCCESS' }],
      ['check_load', { configuration: {} }],
    ]
    for (const [name, input] of refused) {
      const told = await agent.call(name, input)
      expect([name, told.isError, told.value.code]).toEqual([name, true, 'forbidden'])
    }
  })

  it('find nothing of another organization', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const secret = await other.make('/items', { name: 'secret', federatedId: 'S-1' })
    const task = await other.make('/event-workflow-tasks', { name: 'theirs', async: true })
    const agent = new Agent(org.headers)
    for (const [name, input] of [
      ['get_entity', { entityType: 'item', id: secret.id }],
      ['get_entity', { entityType: 'item', federatedId: 'S-1' }],
      ['write_entities', { entityType: 'item', entities: [{ id: secret.id, name: 'mine' }], dryRun: true }],
      ['write_entities', { entityType: 'item', entities: [{ id: secret.id, name: 'mine' }] }],
      ['complete_task', { taskId: task.id, status: 'SUCCESS' }],
    ] as [string, Json][]) {
      const told = await agent.call(name, input)
      expect([name, told.isError, told.value.code]).toEqual([name, true, 'not_found'])
    }
    expect((await agent.value('find_entities', { entityType: 'item' })).results).toEqual([])
    expect((await agent.value('change_history', { entityReference: `item:${secret.id}` })).results).toEqual([])
    expect((await agent.value('waiting_tasks')).results).toEqual([])
    expect((await other.get(`/items/${secret.id}`)).body.name).toBe('secret')
  })
})

describe('N55 a dry run', () => {
  it('refuses what the write would refuse, by its place in the input, and leaves nothing behind', async () => {
    const org = await newOrg()
    await org.make('/types', {
      typePath: 'item:shirt',
      properties: [{ slug: 'season', propertyType: 'choice', options: ['SS27'] }],
    })
    const shirt = await org.make('/items', { typePath: 'item:shirt', name: 'a', federatedId: 'A' })
    await org.make('/items', { name: 'b', federatedId: 'B' })
    const agent = new Agent(org.headers)
    const before = await entitiesOf(org)
    const cases: [Json, string, string][] = [
      [
        { entities: [{ federatedId: 'C', itemFamilyId: 'AAAAAAAAAAAAAAAA' }] },
        'invalid_input',
        '/entities/0/itemFamilyId',
      ],
      [{ entities: [{ name: 'ok' }, { typePath: 'item:shirt', season: 'XX' }] }, 'invalid_input', '/entities/1/season'],
      [{ entities: [{ id: shirt.id, season: 'XX' }] }, 'invalid_input', '/entities/0/season'],
      [{ entities: [{ id: shirt.id, federatedId: 'B' }] }, 'duplicate', '/entities/0/federatedId'],
      [{ entities: [{ name: 5 }] }, 'invalid_input', '/entities/0/name'],
      [{ entities: [{ federatedId: 'C' }, { name: 'x' }] }, 'invalid_input', '/entities'],
      [{ entities: [] }, 'invalid_input', '/entities'],
      [{ entities: [{ name: 'x' }], dryrun: true }, 'invalid_input', '/dryrun'],
    ]
    for (const dryRun of [true, false]) {
      for (const [input, code, path] of cases) {
        const told = await agent.call('write_entities', { entityType: 'item', ...input, dryRun })
        expect([told.isError, told.value.code]).toEqual([true, code])
        expect((told.value.errors as Json[]).map(error => error.path)).toContain(path)
      }
    }
    const proposed = await agent.value('write_entities', {
      entityType: 'item',
      entities: [
        { federatedId: 'A', name: 'a' },
        { federatedId: 'C', name: 'c' },
      ],
      dryRun: true,
    })
    expect(proposed.results).toEqual([
      { outcome: 'unchanged', id: shirt.id, federatedId: 'A', version: 1 },
      {
        outcome: 'create',
        federatedId: 'C',
        changes: {
          typePath: { oldValue: null, newValue: 'item' },
          federatedId: { oldValue: null, newValue: 'C' },
          name: { oldValue: null, newValue: 'c' },
        },
      },
    ])
    expect(await entitiesOf(org)).toBe(before)
    expect(await recordsOf(shirt.id)).toHaveLength(1)
  })

  it('looks at rules that only the store can check', async () => {
    const org = await newOrg()
    const a = await org.make('/assortments', { name: 'a' })
    const b = await org.make('/assortments', { name: 'b', memberAssortmentIds: [a.id] })
    const agent = new Agent(org.headers)
    const circle = { entityType: 'assortment', entities: [{ id: a.id, memberAssortmentIds: [b.id] }] }
    const told = await agent.call('write_entities', { ...circle, dryRun: true })
    expect([told.isError, told.value.code]).toEqual([true, (await agent.call('write_entities', circle)).value.code])
  })

  it('does not use up an Idempotency-Key', async () => {
    const org = await newOrg()
    const agent = new Agent({ ...org.headers, 'Idempotency-Key': 'agent-1' })
    const input = { entityType: 'color', entities: [{ name: 'red' }] }
    await agent.value('write_entities', { ...input, dryRun: true })
    const made = await agent.value('write_entities', input)
    expect(made.results).toMatchObject([{ outcome: 'create', version: 1 }])
    expect(await entitiesOf(org)).toBe(1)
  })
})

describe('N55 a refusal', () => {
  it('says what to change', async () => {
    const agent = new Agent((await newOrg()).headers)
    const cases: [string, Json, string][] = [
      ['find_entities', { entityType: 'itme' }, 'item'],
      ['find_entities', { entityType: 'item', criteria: { name: { contian: 'x' } } }, 'contains'],
      ['find_entities', { criteria: { name: 'x' } }, 'entityType'],
      ['find_entities', {}, '/q'],
      ['find_entities', { entityType: 'item', nextPageKey: 'made-up' }, '/nextPageKey'],
      ['find_entities', { entityType: 'item', limit: 1000 }, '/limit'],
      ['get_entity', { entityType: 'item' }, 'federatedId'],
      ['change_history', { createdOn: 'yesterday' }, 'BETWEEN'],
      ['write_entities', { entityType: 'file', entities: [{ name: 'x' }] }, '/entityType'],
      ['write_entities', { entityType: 'event-workflow-task', entities: [{ name: 'x' }] }, '/entityType'],
      ['check_load', {}, 'loadId'],
      ['check_load', { configuration: { loadType: ['COLOR'], fileLocation: 'x' } }, '/fileLocation'],
      ['complete_task', { taskId: 'x', status: 'DONE' }, '/status'],
    ]
    for (const [name, input, hint] of cases) {
      const told = await agent.call(name, input)
      expect([name, told.isError]).toEqual([name, true])
      expect(told.text).toContain('Correct what is named here')
      if (name === 'write_entities') expect(told.text).toContain('Nothing was changed.')
      if (['find_entities', 'get_entity', 'change_history'].includes(name)) expect(told.text).not.toContain('changed')
      expect(JSON.stringify(told.value)).toContain(hint)
    }
  })

  it('of the protocol is one of its own', async () => {
    const agent = new Agent((await newOrg()).headers)
    const unknown = await agent.send('tools/call', { name: 'delete_entities', arguments: {} })
    expect([unknown.status, unknown.body.error?.code]).toEqual([200, -32602])
    const method = await agent.send('resources/list')
    expect([method.status, method.body.error?.code]).toEqual([404, -32601])
    const mismatch = await agent.send('tools/list', {}, { 'Mcp-Method': 'tools/call' })
    expect([mismatch.status, typeof mismatch.body.error?.code]).toEqual([400, 'number'])
    const stream = await agent.send('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(stream.body.error).toBeDefined()
  })

  it('of the address is as everywhere', async () => {
    const org = await newOrg()
    const other = await newOrg()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const status = async (headers: Record<string, string>, body: unknown = message, method = 'POST') =>
      (await call(method, '/api/mcp', { headers, ...(method === 'POST' && { body }) })).status
    expect(await status({})).toBe(401)
    expect(await status({ 'X-Api-Key': org.key, 'X-Api-Org': other.slug })).toBe(401)
    expect(await status(org.headers, { ...message, params: { x: 'x'.repeat(BODY_MAX_BYTES) } })).toBe(413)
    expect(await status(org.headers, [message, message])).toBe(400)
    expect(await status(org.headers, '{')).toBe(400)
    expect(await status({ ...org.headers, 'Content-Type': 'text/plain' }, 'x')).toBe(415)
    expect(await status(org.headers, { ...message, params: { constructor: 1 } })).toBe(400)
    const got = await call('GET', '/api/mcp', { headers: org.headers })
    expect([got.status, got.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
    const { body } = await operator('POST', `/orgs/${org.slug}/tokens`, { name: 'agent' })
    expect(await status({ Authorization: `Bearer ${body.accessToken}` })).toBe(200)
    const slow = await newOrg({ tier: 'standard' })
    const answer = await call('POST', '/api/mcp', { headers: slow.headers, body: message })
    expect(answer.headers.get('RateLimit-Policy')).toContain('standard')
  })

  it('of get_entity with an id and a federatedId names both, and does not speak of changes', async () => {
    const org = await newOrg()
    const item = await org.make('/items', { federatedId: 'both' })
    const told = await new Agent(org.headers).call('get_entity', {
      entityType: 'item',
      id: item.id,
      federatedId: 'both',
    })
    expect([told.isError, told.value.code]).toEqual([true, 'invalid_input'])
    expect(told.value.errors).toEqual([{ path: '/federatedId', message: 'Give an id or a federatedId, not both.' }])
    expect(told.text).not.toContain('Nothing was changed')
  })
})
