// Environments side by side, plain Wrangler on an empty account, and tokens without rights. // N62
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { World } from './world.ts'

const SECRETS = {
  OPERATOR_KEY: 'operator-key-of-the-tests-0123456789',
  SECRETS_KEY: 'secrets-key-of-the-tests-01234567890',
}

const root = path.resolve(import.meta.dirname, '../..')

describe('N62 wrangler.toml', () => {
  it('has the same in staging as in production, under other names', () => {
    const config = path.join(root, 'wrangler.toml')
    const text = (env: string) => {
      const { d1_databases, r2_buckets, queues, durable_objects, ratelimits, secrets, assets, triggers, migrations } =
        readConfig({ config, env }, { hideWarnings: true })
      const bound = {
        d1_databases,
        r2_buckets,
        queues,
        durable_objects,
        ratelimits,
        secrets,
        assets,
        triggers,
        migrations,
      }
      return JSON.stringify(bound, null, 1)
    }
    expect(text('staging').replaceAll('selvedge-staging', 'selvedge').replaceAll('"61', '"60')).toBe(text(''))
    expect(text('staging')).not.toMatch(/"selvedge"|"60\d\d"/)
  })

  it.each(['', 'staging'])('keeps dead letters through an outage, and addresses out of the logs %s', env => {
    const config = path.join(root, 'wrangler.toml')
    const { queues, observability } = readConfig({ config, env }, { hideWarnings: true })
    const dead = queues.consumers?.find(({ queue }: { queue: string }) => queue.endsWith('-dead-letters'))
    expect(dead).toMatchObject({ max_retries: 100 })
    expect(observability?.logs).toMatchObject({ enabled: true, invocation_logs: false })
  })
})

describe('N84 wrangler.toml', () => {
  it.each(['', 'staging'])('bounds each invocation, and never has fetch be strictly public %s', env => {
    const config = path.join(root, 'wrangler.toml')
    const { limits, compatibility_flags } = readConfig({ config, env }, { hideWarnings: true })
    expect(limits).toEqual({ cpu_ms: 60_000, subrequests: 10_000 })
    expect(compatibility_flags).not.toContain('global_fetch_strictly_public')
  })
})

describe('N62 an empty account', () => {
  let world: World
  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  it('refuses a token without rights, with the step and the permission that it needs', async () => {
    world.standIn.forbidden = ['/d1']
    const none = await world.deploy()
    expect(none.code).toBe(1)
    expect(none.text).toContain('The step "database" failed')
    expect(none.text).toContain('Account · D1 · Edit')
    world.standIn.forbidden = ['/workers']
    const some = await world.deploy(['--dry-run'])
    expect(some.text).toContain('The step "secrets" failed')
    expect(some.text).toContain('Account · Workers Scripts · Edit')
    world.standIn.forbidden = []
    expect(world.account.databases).toEqual([])
  })

  it('refuses a weak secret, an unknown environment and an unknown flag before anything is done', async () => {
    const weak = await world.deploy(['--dry-run'], { OPERATOR_KEY: 'changeme' })
    expect(weak.text).toContain('OPERATOR_KEY has 8 characters, and needs 20')
    const strange = await world.deploy(['--env', 'nowhere'])
    expect(strange).toMatchObject({ code: 1, calls: [] })
    expect(strange.text).toContain('--env takes production or staging')
    expect((await world.deploy(['--stagin'])).code).toBe(1)
    const stray = await world.deploy(['staging', '--', '--keep-vars'])
    expect(stray).toMatchObject({ code: 1, calls: [] })
    expect(stray.text).toContain('"staging" is no flag')
    expect(world.account.databases).toEqual([])
  })

  it.each([
    [['run', 'deploy', '--dry-run'], 'npm run deploy -- --dry-run'],
    [['run', 'deploy', '--env', 'staging'], 'npm run deploy -- --env staging'],
    [['run', 'deploy', '--env=staging', '--dry-run'], 'npm run deploy -- --env staging --dry-run'],
    [['run', 'release', '98.7.6', '--dry-run'], 'npm run release -- --dry-run 98.7.6'],
    [['run', 'dev', '--port', '9000'], 'npm run dev -- --port 9000'],
  ])('refuses flags that npm has kept for itself, and says what to type: npm %j', async (args, right) => {
    world.standIn.calls = []
    const { code, text } = await world.clone.npm(args)
    expect(text).toContain(`\n  ${right}\n`)
    expect(code).toBe(1)
    expect(world.standIn.calls).toEqual([])
    expect(world.clone.read('package.json')).not.toContain('98.7.6')
  })

  it('gets nothing but pages from plain `npx wrangler deploy` without secrets, which names them', async () => {
    const { code, text } = await world.clone.wrangler(['deploy', '--env='])
    expect(code).toBe(1)
    expect(text).toContain('required secrets have not been set: OPERATOR_KEY, SECRETS_KEY')
    expect(world.account.scripts.size + world.account.queues.length + world.account.buckets.size).toBe(0)
  })

  it('gets everything from `npx wrangler deploy --secrets-file`; the schema follows with `npm run deploy`', async () => {
    const file = path.join(world.clone.folder, 'secrets.json')
    writeFileSync(file, JSON.stringify(SECRETS))
    const plain = await world.clone.wrangler(['deploy', '--env=', '--secrets-file', file])
    expect(plain.text).toContain('https://selvedge.acme.workers.dev')
    expect(plain.code).toBe(0)
    expect(world.account.queues).toHaveLength(4)
    const { code, text } = await world.deploy(['--dry-run'])
    expect(code).toBe(0)
    expect(text).toContain('database    selvedge and selvedge-data-01 are there')
    expect(text).toMatch(/would apply \d+ to selvedge: 0000_initial/)
    expect(text).toContain('the Worker has OPERATOR_KEY and SECRETS_KEY')
  })

  it('gets staging beside production, with nothing in common', async () => {
    const { code, text } = await world.deploy(['--env', 'staging'], SECRETS)
    expect(text).toContain('Worker selvedge-staging')
    expect(code).toBe(0)
    const { account } = world
    expect(account.databases.map(({ name }) => name)).toEqual([
      'selvedge',
      'selvedge-data-01',
      'selvedge-staging',
      'selvedge-staging-data-01',
    ])
    expect([...account.buckets]).toEqual(['selvedge-files', 'selvedge-staging-files'])
    expect(account.queues.map(({ consumers }) => consumers.map(({ script }) => script).join())).toEqual([
      ...Array(4).fill('selvedge'),
      ...Array(4).fill('selvedge-staging'),
    ])
    const bound = [...account.scripts.values()].map(({ versions }) =>
      versions
        .at(-1)
        ?.metadata.bindings.flatMap(each => each.id ?? each.bucket_name ?? each.queue_name ?? each.namespace_id ?? []),
    )
    expect(bound[0]?.filter(each => bound[1]?.includes(each))).toEqual([])
    expect(account.scripts.get('selvedge-staging')?.secrets.get('OPERATOR_KEY')).toBe(SECRETS.OPERATOR_KEY)
    expect(world.standIn.strangers).toEqual([])
  })
})
