// Databases and buckets are created where the flags say, and stay there. // N84
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { World } from './world.ts'

describe('N84 the place of databases and buckets', () => {
  let world: World
  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  it('refuses an unknown location before it asks Cloudflare anything', async () => {
    const { code, text, calls } = await world.deploy(['--location', 'europe'])
    expect(text).toContain('There is no location europe: --location takes weur,')
    expect({ code, calls }).toEqual({ code: 1, calls: [] })
  })

  it('is the location of the first deploy, and a later one moves nothing', async () => {
    const { code, text } = await world.deploy(['--location', 'weur'])
    expect(text).toContain('create selvedge and selvedge-data-01 near weur')
    expect(text).toContain('create bucket selvedge-files near weur')
    expect(code).toBe(0)
    expect(world.account.databases.map(each => each.primary_location_hint)).toEqual(['weur', 'weur'])
    expect([...world.account.locationHints]).toEqual([['selvedge-files', 'weur']])
    const before = world.account.picture()
    const again = await world.deploy(['--location', 'apac'])
    expect(again.code).toBe(0)
    expect(again.calls.filter(call => /^POST .*(d1\/database|r2\/buckets)$/.test(call))).toEqual([])
    expect(world.account.picture()).toEqual(before)
  })

  it('is the jurisdiction that flag and wrangler.toml name, and the Worker is bound to the bucket there', async () => {
    const refused = await world.deploy(['--env', 'staging', '--jurisdiction', 'eu'])
    expect(refused.text).toContain('needs the line jurisdiction = "eu" below the bucket_name of selvedge-staging-files')
    expect(refused).toMatchObject({ code: 1, calls: [] })
    const line = 'bucket_name = "selvedge-staging-files"\n'
    world.clone.change('wrangler.toml', text => text.replace(line, `${line}jurisdiction = "eu"\n`))
    const { code, text } = await world.deploy(['--env', 'staging', '--jurisdiction', 'eu'])
    expect(text).toContain('create selvedge-staging and selvedge-staging-data-01 in jurisdiction eu')
    expect(code).toBe(0)
    expect(world.account.databases.map(each => each.jurisdiction)).toEqual([undefined, undefined, 'eu', 'eu'])
    expect([...world.account.buckets]).toEqual(['selvedge-files', 'eu/selvedge-staging-files'])
    const bindings = world.account.scripts.get('selvedge-staging')?.versions.at(-1)?.metadata.bindings
    expect(bindings?.find(({ name }) => name === 'FILES')).toMatchObject({ jurisdiction: 'eu' })
    expect(world.standIn.strangers).toEqual([])
  })
})
