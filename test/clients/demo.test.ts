// N13: what a later start does with the organization `demo`, whatever became of it and of what the first start remembers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DemoMemory } from '../../src/scripts/demo/memory.ts'
import { seedDemo } from '../../src/scripts/demo/seed.ts'
import { type Asked, fakeServer, problem, type Reply } from './fake-server.ts'

const KNOWN = { apiKey: 'app:old', email: 'admin@demo.example', password: 'the first password' }
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'selvedge-demo-'))
  file = path.join(folder, 'demo.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Service {
  hasOrganization: boolean
  isUntouched?: boolean
  /** The key that is taken, besides those that are issued. */
  validKey?: string
}

/** As far as seeding can see it. */
async function service({ hasOrganization, isUntouched = false, validKey }: Service) {
  const issued = new Set(['app:new'])
  const answer = ({ method, path: where, headers, json, body }: Asked): Reply => {
    const call = `${method} ${where.replace('/api', '')}`
    if (call === 'POST /operator/orgs') return hasOrganization ? problem(409, 'conflict') : { status: 201, json: {} }
    if (call === 'POST /operator/orgs/demo/api-keys') return { status: 201, json: { id: 'k', key: 'app:new' } }
    if (call === 'POST /operator/orgs/demo/password-reset') return { status: 201, json: { token: 't' } }
    if (call === 'POST /auth/password-reset') return { json: {} }
    const key = String(headers['x-api-key'])
    if (key !== validKey && !issued.has(key)) return problem(401, 'unauthorized')
    if (call === 'GET /change-history') return { json: { results: isUntouched ? [] : [{ id: 'c' }] } }
    if (Array.isArray(json)) return { json: { results: json.map(each => ({ ...each, id: each.federatedId })) } }
    return { json: { id: 'x', size: body.length } }
  }
  const server = await fakeServer(answer)
  const memory = new DemoMemory(file)
  const seed = () => seedDemo(server.baseUrl, 'operator', memory)
  const filled = () => server.asked.some(({ path: where }) => where === '/api/items/batch')
  const reset = () => server.asked.some(({ path: where }) => where === '/api/auth/password-reset')
  return { seed, filled, reset, memory }
}

describe('N13 a later start', () => {
  it('issues a key where the old one was revoked, and fills nothing', async () => {
    writeFileSync(file, JSON.stringify(KNOWN))
    const { seed, filled, reset, memory } = await service({ hasOrganization: true })
    expect(await seed()).toMatchObject({ apiKey: 'app:new', password: KNOWN.password })
    expect([filled(), reset()]).toEqual([false, false])
    expect(memory.known()?.apiKey).toBe('app:new')
  })

  it('leaves everything as it is where the key is taken', async () => {
    writeFileSync(file, JSON.stringify(KNOWN))
    const { seed, filled } = await service({ hasOrganization: true, validKey: KNOWN.apiKey })
    expect(await seed()).toEqual(KNOWN)
    expect(filled()).toBe(false)
  })

  it('goes on with what was not finished, with the same key', async () => {
    writeFileSync(file, JSON.stringify({ ...KNOWN, isFilled: false }))
    const { seed, filled, memory } = await service({ hasOrganization: true, validKey: KNOWN.apiKey })
    expect(await seed()).toEqual({ ...KNOWN, isFilled: true })
    expect(filled()).toBe(true)
    expect(memory.known()?.isFilled).toBe(true)
  })

  it('fills an organization that was just made, and one that nothing was ever written to', async () => {
    writeFileSync(file, JSON.stringify({ ...KNOWN, isFilled: true }))
    const made = await service({ hasOrganization: false })
    await made.seed()
    expect(made.filled()).toBe(true)
    rmSync(file)
    const untouched = await service({ hasOrganization: true, isUntouched: true })
    await untouched.seed()
    expect(untouched.filled()).toBe(true)
  })

  it.each(['', '{"apiKey": "app:ol', 'null', '{}', '[1]'])('takes what it cannot read for nothing: %s', async text => {
    writeFileSync(file, text)
    const { seed, filled, reset } = await service({ hasOrganization: true })
    const demo = await seed()
    expect([filled(), reset()]).toEqual([false, true])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(demo)
  })
})
