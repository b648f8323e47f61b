// Which account a deploy goes to: never to two, and never to one by mistake. // N62
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_ID } from './stand-in/account.ts'
import { World } from './world.ts'

const OTHER_ID = 'b'.repeat(32)

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
