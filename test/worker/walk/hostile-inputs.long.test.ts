// Hostile CSV, YAML, jsurl and expressions: what stands in the corpus, and changes of it. Never a fault of the service, and never a load that
// does not say what is wrong with it. FUZZ_MINUTES searches longer; what it finds belongs into corpus.ts.
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env, fetchWorker, type Json, newOrg, type TestOrg } from '../api.ts'
import { holdLoads, workOnLoads } from '../loads/loading.ts'
import { search as searchAmong } from './bounds.ts'
import { CORPUS } from './corpus.ts'

let org: TestOrg
let calls = 0

beforeAll(async () => {
  org = await newOrg()
  await org.make('/items', { name: 'Linen', a: 1 })
})

afterAll(() => console.log(`${calls} hostile inputs`))

const piece = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom(
    '~',
    '(',
    ')',
    "'",
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\n',
    '\\',
    '*',
    '&',
    '!',
    '\u0000',
    '\ud800',
    '1e400',
    '__proto__',
  ),
)

/** One of the corpus with pieces cut out, put in, and said twice; or two of them in one. */
function changed(texts: readonly string[]): Arbitrary<string> {
  const one = fc.constantFrom(...texts)
  const cut = fc.tuple(fc.nat(60), fc.nat(6), piece)
  return fc.tuple(one, one, fc.array(cut, { maxLength: 3 }), fc.boolean()).map(([text, other, cuts, isJoined]) => {
    const start = isJoined ? text.slice(0, text.length / 2) + other.slice(other.length / 2) : text
    return cuts.reduce((now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length), start)
  })
}

async function search(texts: readonly string[], look: (text: string) => Promise<void>): Promise<void> {
  const counted = async (text: string) => {
    calls++
    await look(text)
  }
  for (const text of texts) await counted(text)
  await searchAmong(fc.asyncProperty(changed(texts), counted), 4)
}

const fileOf = async (text: string, name: string) => {
  const response = await fetchWorker(`/api/files?fileName=${name}`, {
    method: 'POST',
    body: text || ' ',
    headers: org.headers,
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

describe('hostile inputs', () => {
  it('criteria are answered or refused', async () => {
    await search(CORPUS.criteria, async text => {
      for (const path of ['/items', '/items/count', '/change-history']) {
        const { status } = await org.get(path, { criteria: text })
        expect([200, 400], `${path} ${text}`).toContain(status)
      }
    })
  })

  it('expressions are taken or refused, and end', async () => {
    holdLoads()
    const fileLocation = await fileOf('federatedId,name,a,b\nc1,Red,aaaaaaaaaaaaaaaaaaaaaaaaaaaa!,2\n', 'a.csv')
    await search(CORPUS.expressions, async text => {
      const conditionalColumns = [
        { toProperty: 'name', conditions: [{ conditional: text, value: text }], default: text },
      ]
      await loadedOrRefused({ loadType: ['COLOR'], fileLocation, conditionalColumns }, text)
    })
  })

  it('configurations are taken or refused', async () => {
    holdLoads()
    const fileLocation = await fileOf('federatedId,name\nc1,Red\n', 'a.csv')
    await search(CORPUS.configurations, async text => {
      await loadedOrRefused({ fileLocation, loaderConfigurationId: await fileOf(text, 'a.yaml') }, text)
    })
  })

  it('files are loaded or say what is wrong with them', async () => {
    holdLoads()
    await search(CORPUS.csv, async text => {
      await loadedOrRefused({ loadType: ['COLOR'], fileLocation: await fileOf(text, 'a.csv') }, text)
    })
  })
})

async function loadedOrRefused(configuration: Json, text: string): Promise<void> {
  const started = await org.post('/loader-processes', configuration)
  expect([202, 400], text).toContain(started.status)
  if (started.status === 400) return
  for (let wakeUps = 0; wakeUps < 20; wakeUps++) {
    await workOnLoads(env, org.id)
    const { body } = await org.get(`/loader-processes/${started.body.id}`)
    if (body.endedOn === undefined) continue
    const kinds = (body.issues as Json[]).map(({ issueType }) => issueType)
    expect(kinds, text).not.toContain('SYSTEM_ERROR')
    return expect(['completed', 'failed'], text).toContain(body.status)
  }
  expect.fail(`a load does not end: ${text}`)
}
