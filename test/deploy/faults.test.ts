// A deploy that dies at some call, and is repeated. By itself only some calls are made to fail; `ALL_FAULTS=1` takes each of them,
// which takes some minutes. // N62
import { describe, expect, it } from 'vitest'
import { Faults } from './stand-in/server.ts'
import { World } from './world.ts'

const STEPS = /The step "(database|replicas|migrations|secrets|upload|smoke test)" failed: \S/
const [APART, PATIENCE_MS] = process.env.ALL_FAULTS ? [1, 2_400_000] : [18, 1_200_000]

/** On one account, from empty to deployed: the repeat of every failure is the beginning of the next. */
async function goThrough(world: World, faults: Faults): Promise<{ failures: string[]; text: string }> {
  const failures: string[] = []
  for (;;) {
    faults.failed = undefined
    const { code, text } = await world.deploy()
    if (faults.failed === undefined) return { failures, text }
    failures.push(faults.failed)
    // Wrangler tries some calls again by itself, and goes on without others.
    if (code === 0) continue
    expect(text, `${faults.kind}: ${faults.failed}`).toMatch(STEPS)
    expect(text).toContain('the same command goes on from there')
  }
}

describe('N62 a deploy that fails at any call', () => {
  it.each(['refused', 'lost'] as const)(
    'says which step failed, and comes to its end when it is repeated (%s)',
    async kind => {
      const world = await World.open()
      try {
        const faults = new Faults(kind, APART)
        world.standIn.faults = faults
        const { failures, text } = await goThrough(world, faults)
        console.log(`${failures.length} calls ${kind}`)
        expect(failures.length).toBeGreaterThan(2)
        expect(text).toContain('operator orgs create my-team')
        world.standIn.faults = undefined
        const before = world.account.picture()
        expect(before.databases).toHaveLength(2)
        expect(before.queues).toHaveLength(4)
        expect(before.scripts.map(({ secrets }) => secrets.length)).toEqual([2])
        // Whatever was made on the way, the key that people were told of is the one that is deployed.
        expect(world.clone.read(world.secretsFile())).toContain(
          `OPERATOR_KEY=${world.account.scripts.get('selvedge')?.secrets.get('OPERATOR_KEY')}\n`,
        )
        expect((await world.deploy()).code).toBe(0)
        expect(world.account.picture()).toEqual(before)
      } finally {
        await world.close()
      }
    },
    PATIENCE_MS,
  )
})
