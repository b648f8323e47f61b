// A deploy from a fresh clone to an empty account, against a stand-in of Cloudflare's API. // N62
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { World } from './world.ts'

const QUEUES = ['selvedge-loads', 'selvedge-steps', 'selvedge-calls', 'selvedge-dead-letters']

describe('N62 npm run deploy', () => {
  let world: World
  const secretsFile = () => path.join(world.clone.folder, world.secretsFile())
  const script = () => {
    const found = world.account.scripts.get('selvedge')
    if (!found) throw new Error('no Worker was deployed')
    return found
  }

  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  it('tells what it would do, and does nothing of it', async () => {
    const { code, text, calls } = await world.deploy(['--dry-run'])
    expect(code).toBe(0)
    expect(text).toContain('database    would create selvedge and selvedge-data-01')
    expect(text).toMatch(
      /migrations {2}would apply \d+ to selvedge: 0000_initial.*; \d+ to selvedge-data-01: 0000_initial/,
    )
    expect(text).toContain('create bucket selvedge-files')
    for (const queue of QUEUES) expect(text).toContain(`create queue ${queue}`)
    expect(text).toContain('OPERATOR_KEY, made at random')
    expect(calls.filter(call => !call.startsWith('GET '))).toEqual([])
    expect(existsSync(secretsFile())).toBe(false)
  })

  it('makes everything on an empty account, in one upload, and what it deployed works', async () => {
    world.deployed.runs = true
    const { code, text, calls } = await world.deploy(['--patience', '120'], { CI: 'true' })
    expect(text).toContain('WARNING: what was made here goes with the machine of this pipeline')
    expect(text).toContain('operator orgs create my-team')
    expect(text).toContain(`sed -n 's/^OPERATOR_KEY=//p' ${world.secretsFile()}`)
    expect(code).toBe(0)
    world.deployed.runs = false

    const { account } = world
    expect(account.databases.map(({ name, read_replication }) => [name, read_replication.mode])).toEqual([
      ['selvedge', 'auto'],
      ['selvedge-data-01', 'auto'],
    ])
    expect([...account.buckets]).toEqual(['selvedge-files'])
    expect(account.queues.map(({ queue_name }) => queue_name)).toEqual(QUEUES)
    expect(account.queues.map(({ consumers }) => consumers.map(consumer => consumer.script))).toEqual([
      ['selvedge'],
      ['selvedge'],
      ['selvedge'],
      ['selvedge'],
    ])
    // The secrets came with the code, once, and the migrations before it.
    const changing = calls.filter(call => !call.startsWith('GET '))
    expect(changing.filter(call => /scripts\/selvedge(\/versions|\/secrets)?$/.test(call))).toEqual([
      'PUT /workers/scripts/selvedge',
    ])
    expect(calls.findLastIndex(call => call.endsWith('/query'))).toBeLessThan(
      calls.indexOf('PUT /workers/scripts/selvedge'),
    )
    expect([...script().secrets.keys()].sort()).toEqual(['OPERATOR_KEY', 'SECRETS_KEY'])
    expect(world.standIn.strangers).toEqual([])
  })

  it('keeps the secrets that it made in a file of their own, and shows none', async () => {
    const kept = readFileSync(secretsFile(), 'utf8')
    expect(statSync(secretsFile()).mode & 0o077).toBe(0)
    for (const [name, value] of script().secrets) {
      expect(value.length).toBeGreaterThanOrEqual(43)
      expect(kept).toContain(`${name}=${value}\n`)
    }
  })

  it('changes nothing when it is repeated', async () => {
    const before = world.account.picture()
    const { code, text, calls } = await world.deploy([], { OPERATOR_KEY: 'another key that is long enough' })
    expect(code).toBe(0)
    for (const value of script().secrets.values()) expect(text).not.toContain(value)
    expect(world.account.picture()).toEqual(before)
    expect(calls.filter(call => /^POST .*(d1\/database|r2\/buckets|queues)$/.test(call))).toEqual([])
    expect(script().versions).toHaveLength(2)
    expect(script().versions.at(-1)?.metadata.keep_bindings).toContain('secret_text')
  })

  it('is followed by plain `npx wrangler deploy`, which keeps the secrets, and by a way back', async () => {
    const secrets = [...script().secrets]
    expect((await world.clone.wrangler(['deploy', '--env='])).code).toBe(0)
    expect([...script().secrets]).toEqual(secrets)
    const [first, second] = script().versions.map(({ id }) => id)
    // As the guide tells it: a tenth of the requests, then back.
    const split = ['versions', 'deploy', `${first}@90%`, `${second}@10%`, '--yes', '--env=']
    expect((await world.clone.wrangler(split)).code).toBe(0)
    expect(
      script()
        .deployments[0]?.versions.map(({ percentage }) => percentage)
        .sort(),
    ).toEqual([10, 90])
    const back = await world.clone.wrangler(['rollback', `${first}`, '--yes', '--message', 'back', '--env='])
    expect(back.text).toContain(first)
    expect(script().deployments[0]?.versions).toEqual([{ version_id: first, percentage: 100 }])
    expect(world.standIn.strangers).toEqual([])
  })
})
