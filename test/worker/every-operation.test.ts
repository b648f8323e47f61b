// One suite over the data of every operation: those of later features are taken up by themselves.
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import { KINDS } from '../../src/kinds.ts'
import type { Operation } from '../../src/platform/http/operation.ts'
import { newId } from '../../src/platform/ids.ts'
import { BODY_MAX_BYTES } from '../../src/platform/limits.ts'
import { type Answer, call, env, type Json, newOrg, OPERATOR_KEY, type TestOrg } from './api.ts'

const operations = routes.map(route => route.operation)
const named = (chosen: Operation[]) =>
  chosen.map(operation => [`${operation.method} ${operation.path}`, operation] as const)
const known = (operation: Operation) => operation.access === 'organization' || operation.access === 'task'
/** Identity providers and senders of webhooks add parameters of their own to the address that they are given. */
const takesAnyParameter = ({ path }: Operation) =>
  ['/auth/sso/callback/:orgId', '/trigger-webhooks/:secret'].includes(path)
/** Endpoints for people refuse keys before they look at anything else. */
const forPeople = (operation: Operation) => Boolean(operation.role ?? operation.session)

let document: { openapi: string; paths: Record<string, Record<string, Json>> }
let org: TestOrg
let other: TestOrg
let reader: TestOrg
/** One entity of the other organization for each entity type, by the type's path. */
const foreign = new Map<string, string>()

beforeAll(async () => {
  document = (await call<typeof document>('GET', '/openapi.json')).body
  org = await newOrg()
  other = await newOrg()
  reader = await newOrg({ scope: 'read' })
  for (const kind of KINDS) {
    const id = newId()
    foreign.set(kind.path, id)
    await env.DB.prepare(
      `INSERT INTO entities (id, org_id, kind, version, created_on, updated_on, created_by_id, updated_by_id, data) VALUES (?, ?, ?, 1, 1, 1, 'x', 'x', ?)`,
    )
      .bind(id, other.id, kind.name, JSON.stringify({ typePath: kind.name, name: 'secret', federatedId: 'secret' }))
      .run()
  }
})

let calls = 0

/** Each call comes from an address of its own, so that limits by address stay out of the way. */
function visit(
  operation: Operation,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  const address = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls++ & 255}`
  return call(operation.method, `/api${path}`, { headers: { ...headers, 'CF-Connecting-IP': address }, body })
}

function pathTo({ path }: Operation, id?: string): string {
  const [, first = ''] = path.split('/')
  const target = id ?? foreign.get(first) ?? 'AAAAAAAAAAAAAAAA'
  return path.replaceAll(/:(\w+)/g, (_, name: string) => (name === 'slug' ? other.slug : target))
}

const operatorHeaders = { 'X-Operator-Key': OPERATOR_KEY }

function rightHeaders(operation: Operation): Record<string, string> {
  return operation.access === 'operator' ? operatorHeaders : known(operation) ? org.headers : {}
}

/** A body that the schema takes, where one of the usual ones does. */
function bodyFor(operation: Operation): unknown {
  const id = foreign.get(operation.path.split('/')[1] ?? '') ?? 'AAAAAAAAAAAAAAAA'
  if (!operation.body) return undefined
  const candidates = [
    { name: 'mine' },
    [{ id, name: 'mine' }],
    [id],
    {},
    { typePath: 'item:x' },
    { subtext: 'mine' },
    { version: 1 },
    { name: 'mine', async: true },
    { types: [{ typePath: 'item:x' }] },
    { triggerKey: 'mine' },
    { taskId: foreign.get('event-workflow-tasks'), status: 'SUCCESS' },
    { jsonrpc: '2.0', id: 1, method: 'ping' },
  ]
  return candidates.find(candidate => operation.body?.safeParse(candidate).success) ?? {}
}

/** Creates that need more than those bodies say. */
const REFUSED_CREATES = new Map([
  ['/files', 415],
  ['/loader-processes', 400],
  ['/loader-processes/check', 400],
  ['/change-history/restore', 400],
  ['/project-items', 400],
  ['/project-items/batch', 400],
  ['/assortment-items', 400],
  ['/assortment-items/batch', 400],
  ['/types/batch', 400],
])

/** Ids that stand in the body instead of the path. */
const namesInBody = ({ method, path }: Operation) =>
  path === '/external-events/callback' || (path.endsWith('/batch') && method !== 'POST')

/** What a key answers that may write, and that names what another organization has. */
function foreignStatus(operation: Operation): number {
  if (forPeople(operation)) return 403
  if (operation.query && !operation.query.safeParse({}).success) return 400
  if (operation.path.includes(':') || namesInBody(operation)) return 404
  return (operation.method === 'POST' && REFUSED_CREATES.get(operation.path)) || operation.status
}

/** Everything that the database holds of the other organization. */
async function snapshot(): Promise<Json> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`org_id`%'",
  ).all<{ name: string }>()
  expect(tables.results.length).toBeGreaterThan(4)
  const rows = await env.DB.batch(
    tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name} WHERE org_id = ?`).bind(other.id)),
  )
  return Object.fromEntries(tables.results.map(({ name }, at) => [name, rows[at]?.results]))
}

describe.each(named(operations.filter(known)))('%s', (_, operation) => {
  it('N8 without a credential is 401, like with a wrong one', async () => {
    const body = bodyFor(operation)
    const none = await visit(operation, pathTo(operation), {}, body)
    const wrong = await visit(operation, pathTo(operation), { 'X-Api-Key': 'app:x', 'X-Api-Org': org.slug }, body)
    for (const answer of [none, wrong]) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
      expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer')
    }
    expect({ ...none.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
  })

  it('with a key of another organization finds nothing and changes nothing', async () => {
    const before = await snapshot()
    const answer = await visit(operation, pathTo(operation), org.headers, bodyFor(operation))
    expect(JSON.stringify(answer.body)).not.toContain(other.id)
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(answer.status).toBe(foreignStatus(operation))
    if (operation.path.includes(':id') && !forPeople(operation)) {
      const missing = await visit(operation, pathTo(operation, 'ZZZZZZZZZZZZZZZZ'), org.headers, bodyFor(operation))
      expect({ ...answer.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    }
    expect(await snapshot()).toEqual(before)
  })

  it('N9 with a key of scope read writes nothing', async () => {
    const writes = operation.writes ?? operation.method !== 'GET'
    const answer = await visit(operation, pathTo(operation), reader.headers, bodyFor(operation))
    expect(answer.status).toBe(writes ? 403 : foreignStatus(operation))
    if (writes) expect(answer.body.code).toBe('read_only_key')
  })
})

describe.each(named(operations.filter(operation => operation.access === 'operator')))('%s', (_, operation) => {
  it('N12 is 401 without the operator key, with a wrong one, and with a key of an organization', async () => {
    const before = await snapshot()
    for (const headers of [{}, { 'X-Operator-Key': 'wrong' }, { 'X-Operator-Key': '' }, org.headers]) {
      const answer = await visit(operation, pathTo(operation), headers, bodyFor(operation))
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
    expect(await snapshot()).toEqual(before)
  })
})

describe.each(named(operations))('%s', (_, operation) => {
  it('N6 carries request id, timing and CORS on every answer', async () => {
    const { headers } = await visit(operation, pathTo(operation), {
      Origin: 'https://a.example',
      'X-Request-Id': 'mine-1',
    })
    expect(headers.get('X-Request-Id')).toBe('mine-1')
    expect(headers.get('Server-Timing')).toMatch(/^total;dur=/)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Expose-Headers')).toMatch(/ETag.*Location.*RateLimit.*Retry-After.*X-Request-Id/)
  })

  it('N2 answers 405 with Allow to a method that it does not have, and answers a preflight', async () => {
    const path = `/api${pathTo(operation)}`
    const patch = await call('PATCH', path)
    expect(patch).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(patch.headers.get('Allow')?.split(', ')).toContain(operation.method)
    const preflight = await call('OPTIONS', path, {
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': operation.method },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain(operation.method)
  })

  it('N2 answers with a trailing slash, and an entity type under its singular name', async () => {
    const path = pathTo(operation)
    const plain = await visit(operation, path)
    expect((await visit(operation, `${path}/`)).status).toBe(plain.status)
    const [, first = '', ...rest] = path.split('/')
    const singular = KINDS.find(kind => kind.path === first)?.name
    if (singular) expect((await visit(operation, ['', singular, ...rest].join('/'))).status).toBe(plain.status)
  })

  it('N7 refuses a parameter that it does not know', async () => {
    if (takesAnyParameter(operation)) return
    const answer = await visit(
      operation,
      `${pathTo(operation)}?unheardOf=1`,
      rightHeaders(operation),
      bodyFor(operation),
    )
    expect(answer.status).toBe(forPeople(operation) ? 403 : 400)
    if (!forPeople(operation)) expect((answer.body.errors as Json[]).map(error => error.path)).toContain('/unheardOf')
  })

  it('N43 refuses a body over its bound', async () => {
    if (operation.method === 'GET' || operation.rawBody || forPeople(operation)) return
    if (operation.query && !operation.query.safeParse({}).success) return
    const body = `"${'x'.repeat(operation.bodyMaxBytes ?? BODY_MAX_BYTES)}"`
    expect((await visit(operation, pathTo(operation), rightHeaders(operation), body)).status).toBe(413)
  })

  it('is listed in /openapi.json', async () => {
    const listed = document.paths[operation.path.replaceAll(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]
    expect(listed?.summary).toBe(operation.summary)
    expect(Object.keys(listed?.responses as Json)).toContain(String(operation.status))
  })
})

describe('the operations', () => {
  it('are each there once, with an operation id of their own', async () => {
    const places = operations.map(operation => `${operation.method} ${operation.path}`)
    expect(new Set(places).size).toBe(places.length)
    expect(document.openapi).toBe('3.1.0')
    const ids = Object.values(document.paths).flatMap(path =>
      Object.values(path).map(operation => operation.operationId),
    )
    expect(ids).toHaveLength(places.length)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('N4 leave everything else to a 404 that is a problem document', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/nothing',
      '/api/items/x/y/z',
      '/api//items',
      '/.env',
      '/api/__proto__',
    ]) {
      const answer = await call('GET', path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
      expect(answer.headers.get('X-Request-Id')).toBeTruthy()
    }
  })

  it('N6 give a request id of their own where the caller sent none or a strange one', async () => {
    for (const sent of ['', 'x'.repeat(129), 'a b', '<script>', 'ä']) {
      const { headers, body } = await call(
        'GET',
        '/api/items',
        sent ? { headers: { 'X-Request-Id': encodeURI(sent) } } : {},
      )
      expect(headers.get('X-Request-Id')).toMatch(/^[A-Za-z0-9_-]{16}$/)
      expect(body.requestId).toBe(headers.get('X-Request-Id'))
    }
  })

  it('N1 stand beside liveness, the reference and its document', async () => {
    expect((await call('GET', '/health')).body).toMatchObject({ status: 'ok' })
    expect((await call('GET', '/docs')).headers.get('Content-Type')).toContain('text/html')
    expect((await call('GET', '/docs/')).status).toBe(200)
    expect([301, 302]).toContain((await call('GET', '/')).status)
  })
})
