// Walks every operation of the document with generated calls, right and wrong: whatever comes back is a status and a body
// that the document tells of, with the headers it promises, and never a fault of the service. More runs: WALK_RUNS=100, or `npm run fuzz`.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { routes } from '../../../src/app.ts'
import { KINDS, kindNamed } from '../../../src/kinds.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Kind } from '../../../src/platform/kind.ts'
import { type Answer, type Json, newOrg, OPERATOR_KEY, ORIGIN, operator, send, type TestOrg } from '../api.ts'
import { outside } from '../outside.ts'
import { newTeam, type SignedIn } from '../sign-in/team.ts'
import { ApiDocument, type Described } from './api-document.ts'
import { search } from './bounds.ts'
import { type Call, calls, type Known } from './calls.ts'
import { CALLS } from './corpus.ts'

let document: ApiDocument
let org: TestOrg
let admin: SignedIn
/** Ids to be found, by tag. */
const ids = new Map<string, string[]>()
let slugs: string[] = []

/** One from the example of the reference, with what it must refer to. */
async function make(kind: Kind): Promise<string> {
  const { federatedId: _, identifier: __, ...own }: Json = { ...kind.example }
  for (const { field, target, list } of kind.references) {
    const isRequired = kind.fields[field]?.safeParse(undefined).success === false
    if (isRequired && !list) own[field] = await make(kindNamed(target))
  }
  if (!kind.ownRoot) own.typePath = `item:${newId()}`
  return (await org.make(`/${kind.path}`, own)).id
}

async function furnish(): Promise<void> {
  for (const kind of KINDS) {
    if (kind.operations.includes('create')) ids.set(kind.path, [await make(kind), await make(kind)])
  }
  const content = await org.call('POST', '/files?fileName=walk.csv', { body: 'a,b\n1,2\n' })
  const pending = await org.make('/files', { fileName: 'walk.csv' })
  const task = await org.make('/event-workflow-tasks', { name: 'walk', async: true })
  const hook = await org.make('/webhooks', { name: 'walk' })
  ids.set('files', [String(content.body.id), pending.id])
  ids.set('event-workflow-tasks', [task.id])
  ids.set('workflows', [task.id])
  ids.set('webhooks', [hook.id])
  ids.set('secret', [String(hook.triggerUrl).split('/').at(-1) ?? ''])
}

const known: Known = ({ name }, { tag }) => {
  if (name === 'slug') return slugs
  if (name === 'typePath') return ['item', 'item:walk', ...(ids.get('types') ?? [])]
  if (name === 'name') return ['erp']
  if (name === 'secret') return ids.get('secret') ?? []
  const found = ids.get(tag) ?? []
  return found.length ? found : ['AAAAAAAAAAAAAAAA']
}

beforeAll(async () => {
  outside()
  document = await ApiDocument.fetched()
  org = await newOrg({ tier: 'high' })
  const team = await newTeam()
  admin = team.admin
  slugs = [(await newOrg()).slug]
  await operator('PUT', `/orgs/${slugs[0]}/endpoints/erp`, {
    url: 'https://erp.example.com/',
    auth: { kind: 'header', name: 'X-Key', value: 'v' },
  })
  await furnish()
})

let count = 0

afterAll(() => {
  vi.restoreAllMocks()
  console.log(`${count} calls walked`)
})

async function answerTo(operation: Described, { path, headers, body }: Call): Promise<Answer<unknown>> {
  const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count++ & 255}`
  const request = new Request(`${ORIGIN}/api${path}`, {
    method: operation.method,
    headers: { ...credentialOf(operation), 'CF-Connecting-IP': address, ...headers },
    ...(body !== undefined && { body }),
  })
  const sent = send(request)
  const response = await sent.response
  const text = await response.text()
  await sent.settled()
  const isJson = /[/+]json$/.test(response.headers.get('Content-Type')?.split(';')[0] ?? '')
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}

const FOR_PEOPLE = new Set(routes.filter(({ operation }) => operation.role).map(({ operation }) => operation.id))

function credentialOf({ operationId, security }: Described): Record<string, string> {
  if (security.some(one => 'operatorKey' in one)) return { 'X-Operator-Key': OPERATOR_KEY }
  if (security.length === 0) return {}
  return FOR_PEOPLE.has(operationId) && operationId !== 'signOut' ? admin.headers : org.headers
}

const named = routes.map(({ operation }) => operation.id)

const describedBy = (id: string) =>
  document.operations.find(({ operationId }) => operationId === id) ?? expect.fail(`${id} is not in the document`)

it.each(CALLS)('%s is still answered as the document says', async (id, call) => {
  const operation = describedBy(id)
  document.expectDescribed(operation, await answerTo(operation, call))
})

describe.each(named)('%s', id => {
  it.each([
    ['right', true],
    ['wrong', false],
  ])('answers calls that look %s as the document says', async (_, isRight) => {
    const operation = describedBy(id)
    const property = fc.asyncProperty(calls(document, operation, known, isRight), async call => {
      document.expectDescribed(operation, await answerTo(operation, call))
    })
    await search(property, 2 * named.length)
  })
})
