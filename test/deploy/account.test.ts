// Which account a deploy goes to: never to two, and never to one by mistake. // N62
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_ID } from './stand-in/account.ts'
import { StandIn } from './stand-in/server.ts'
import { World } from './world.ts'

const OTHER_ID = 'b'.repeat(32)
const EARLIER = 'operator-key-of-an-earlier-deploy-0123'

describe('N62 the account of a deploy', () => {
  let world: World
  const naming = (id: string) =>
    world.clone.change('wrangler.toml', text => `account_id = "${id}"\n${text.replace(/^account_id.*\n/, '')}`)

  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  it('is refused where wrangler.toml and the variable name two, before anything is asked', async () => {
    naming(OTHER_ID)
    const { code, text, calls } = await world.deploy(['--dry-run'])
    expect({ code, calls }).toEqual({ code: 1, calls: [] })
    expect(text).toContain(`wrangler.toml names account ${OTHER_ID} as account_id`)
    expect(text).toContain(`CLOUDFLARE_ACCOUNT_ID names ${ACCOUNT_ID}`)
  })

  it.each(['', ACCOUNT_ID])('is that of wrangler.toml where the variable is "%s"', async variable => {
    naming(ACCOUNT_ID)
    const { code, text } = await world.deploy(['--dry-run'], { CLOUDFLARE_ACCOUNT_ID: variable })
    expect(text).toContain(`account ${ACCOUNT_ID}`)
    expect(code).toBe(0)
  })
})

describe('N62 the secrets that a deploy made', () => {
  let world: World
  let second: StandIn
  const keyOf = ({ account }: StandIn) => account.scripts.get('selvedge')?.secrets.get('OPERATOR_KEY')
  let secondUrl: string

  beforeAll(async () => {
    world = await World.open()
    second = new StandIn()
    secondUrl = await second.start()
    // As a deploy left it before the files had an account in their names.
    mkdirSync(path.join(world.clone.folder, '.secrets'))
    writeFileSync(path.join(world.clone.folder, '.secrets/production.env'), `OPERATOR_KEY=${EARLIER}\n`)
    world.account.createDatabase({ name: 'selvedge' })
  })
  afterAll(async () => {
    await second.stop()
    await world.close()
  })

  it('are found where an earlier deploy has put them, and shown as what was uploaded', async () => {
    const { code, text } = await world.deploy()
    expect(text).toContain('OPERATOR_KEY from .secrets/production.env; SECRETS_KEY, made at random')
    expect(text).toContain("$(sed -n 's/^OPERATOR_KEY=//p' .secrets/production.env)")
    expect(code).toBe(0)
    expect(keyOf(world.standIn)).toBe(EARLIER)
    expect(world.clone.read(world.secretsFile())).toMatch(/^SECRETS_KEY=\S{43}\n$/)
  })

  it('are not shown as the key of a Worker that has had one before', async () => {
    world.account.scripts.get('selvedge')?.secrets.set('OPERATOR_KEY', 'somebody has put another one')
    const { code, text } = await world.deploy()
    expect(code).toBe(0)
    expect(text).not.toContain('sed -n')
    expect(text).toContain('export SELVEDGE_OPERATOR_KEY=…')
  })

  it('are not those of another account, whose Worker has the same name', async () => {
    // No Worker is asked here: the address is that of the first account.
    const toSecond = { CLOUDFLARE_API_BASE_URL: secondUrl, CLOUDFLARE_ACCOUNT_ID: OTHER_ID }
    const { code, text } = await world.deploy([], toSecond)
    expect(code).toBe(0)
    const own = world.secretsFile('selvedge', OTHER_ID)
    expect(text).toContain(`OPERATOR_KEY, made at random and kept in ${own}`)
    expect(keyOf(second)).toMatch(/^[\w-]{43}$/)
    expect(world.clone.read(own)).toContain(`OPERATOR_KEY=${keyOf(second)}\n`)
    expect(text).toContain(`sed -n 's/^OPERATOR_KEY=//p' ${own}`)
  })
})
