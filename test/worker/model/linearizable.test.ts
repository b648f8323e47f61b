// Many callers of one entity at once: reads, writes and writes under If-Match. Their answers are those of one copy that does one thing
// at a time (N15). VITE_HISTORIES asks for more.
import { describe, expect, it } from 'vitest'
import { newOrg, type TestOrg } from '../api.ts'
import { Random } from '../loads/differential/random.ts'
import { type Event, isLinearizable } from './linearizable.ts'

const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const HISTORIES = Number(settings?.VITE_HISTORIES ?? 12)
const CALLERS = 5
const CALLS = 5

/** Calls and answers in the order in which they came. */
class Recorder {
  readonly events: Event[] = []
  #now = 0

  time(): number {
    return ++this.#now
  }
}

async function calls(
  org: TestOrg,
  path: string,
  random: Random,
  { events, time }: { events: Event[]; time(): number },
) {
  let known = 1
  for (let at = 0; at < CALLS; at++) {
    const [kind, value] = [random.pick(['read', 'write', 'swap', 'swap'] as const), random.below(1000)]
    const from = known
    const called = time()
    const headers = kind === 'swap' ? { 'If-Match': `"${from}"` } : {}
    const answer = kind === 'read' ? await org.get(path) : await org.call('PUT', path, { body: { value }, headers })
    const answered = time()
    const version = Number(answer.body.version)
    if (answer.status === 412) events.push({ kind: 'refused', from, called, answered })
    else {
      expect(answer.status).toBe(200)
      known = version
      const seen = Number(answer.body.value)
      if (kind === 'read') events.push({ kind, version, value: seen, called, answered })
      else if (kind === 'write') events.push({ kind, value, version, called, answered })
      else events.push({ kind, from, value, version, called, answered })
    }
    // Who was refused looks again before it tries again.
    if (answer.status === 412) known = Number((await org.get(path)).body.version)
  }
}

describe('an entity under many hands', () => {
  it.each(Array.from({ length: HISTORIES }, (_, at) => at + 1))('is one copy (N15), history %i', async seed => {
    const org = await newOrg()
    const { id } = await org.make('/items', { value: -1 })
    const recorder = new Recorder()
    const shared = { events: recorder.events, time: () => recorder.time() }
    const random = new Random(seed * 7919)
    await Promise.all(
      Array.from({ length: CALLERS }, () => calls(org, `/items/${id}`, new Random(random.below(2 ** 31)), shared)),
    )
    expect(isLinearizable(recorder.events, { version: 1, value: -1 }), JSON.stringify(recorder.events)).toBe(true)
  })

  const start = { version: 1, value: 0 }
  const write = (value: number, version: number, called: number, answered: number): Event => ({
    kind: 'write',
    value,
    version,
    called,
    answered,
  })
  const read = (value: number, version: number, called: number, answered: number): Event => ({
    kind: 'read',
    value,
    version,
    called,
    answered,
  })

  it.each<[string, Event[], boolean]>([
    ['a read beside a write sees the old or the new', [write(5, 2, 1, 4), read(0, 1, 2, 3)], true],
    ['a read after a write does not see the old', [write(5, 2, 1, 2), read(0, 1, 3, 4)], false],
    ['two writes do not have the same version', [write(5, 2, 1, 3), write(6, 2, 2, 4)], false],
    ['two reads do not see the new, and then the old', [write(5, 2, 1, 6), read(5, 2, 2, 3), read(0, 1, 4, 5)], false],
    [
      'a swap from the version that stands is not refused',
      [{ kind: 'refused', from: 1, called: 1, answered: 2 }],
      false,
    ],
    ['a lost swap', [{ kind: 'swap', from: 1, value: 7, version: 2, called: 1, answered: 2 }, read(0, 1, 3, 4)], false],
  ])('the checker: %s', (_, events, isRight) => {
    expect(isLinearizable(events, start)).toBe(isRight)
  })
})
