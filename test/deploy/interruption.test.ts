// A deploy that somebody stops in the middle of the upload. // N62
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { World } from './world.ts'

describe('N62 a deploy that is interrupted', () => {
  let world: World
  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('leaves no secrets behind, and says how to go on (%s)', async (signal, expected) => {
    const TMPDIR = path.join(world.clone.folder, signal)
    mkdirSync(TMPDIR)
    const left = () => readdirSync(TMPDIR).filter(name => name.startsWith('selvedge-deploy-'))
    const hand = new AbortController()
    let before: string[] = []
    world.standIn.held = {
      call: 'PUT /workers/scripts/selvedge',
      arrived() {
        before = left()
        hand.abort(signal)
      },
    }
    const { code, text } = await world.deploy([], { TMPDIR }, hand.signal)
    expect(before).toHaveLength(1)
    expect(left()).toEqual([])
    expect(code).toBe(expected)
    expect(text).toContain(`The step "upload" failed: interrupted (${signal})`)
    expect(text).toContain('the same command goes on from there')
  })

  it('goes on when it is repeated, with the secrets that it had made', async () => {
    world.standIn.held = undefined
    const { code, text } = await world.deploy()
    expect(text).toContain(`OPERATOR_KEY from ${world.secretsFile()}`)
    expect(code).toBe(0)
  })
})
