// Every fault point of every operation: the n-th call to D1, R2, a queue or a Durable Object fails, before and after it took effect,
// for every n. The answer is the right one or 503; afterwards the state is that of before or of after; the repeat ends well.
// Every day one of the two moments of each, for the entity types that stand for the rest; VITE_FAULTS=all takes all.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { afterAll, describe, expect, it } from 'vitest'
import worker from '../../../src/index.ts'
import { ANSWER_LEASE_MS } from '../../../src/platform/limits.ts'
import { ORIGIN } from '../api.ts'
import { holdClock } from '../clock.ts'
import { Injector, MOMENTS, type Moment } from './injector.ts'
import type { Prepared } from './scenario.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import { isCountRight, stateOf } from './state.ts'

const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const isWhole = settings?.VITE_FAULTS === 'all'
/** The code is the same for all entity types, and for all that reads: these stand for the rest. */
const GENERIC =
  /^\/(project-items|assortment-items|assortments|projects|workspaces|colors|custom-entities|size-range-templates|webhooks)(\/|$)/
const STANDING = /^\/(items|files|change-history|audit)(\/(?!count)|$)/
const isChosen = ({ operation: { method, path } }: Scenario) =>
  isWhole || (method === 'GET' ? STANDING.test(path) : !GENERIC.test(path) && !path.includes('batch'))
const POINTS_MAX = 60

let points = 0
let keys = 0

interface Answer {
  status: number
  text: string
}

async function call(injector: Injector, { operation }: Scenario, told: Prepared, key: string): Promise<Answer> {
  const takesKey = operation.method === 'POST' && !operation.issuesCredential && operation.access !== 'anybody'
  const { body, raw } = told
  const request = new Request(`${ORIGIN}/api${told.path}`, {
    method: operation.method,
    headers: {
      ...told.headers,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(raw !== undefined && { 'Content-Type': 'text/plain' }),
      ...(takesKey && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(raw !== undefined && { body: raw }),
  })
  const execution = createExecutionContext()
  const response = await worker.fetch(request, injector.env, execution)
  // An answer that breaks off on its way is as good as none.
  const text = await response.text().catch(() => undefined)
  await waitOnExecutionContext(execution)
  return { status: text === undefined ? 503 : response.status, text: text ?? '' }
}

async function undisturbed(injector: Injector, scenario: Scenario) {
  const told = await scenario.prepare()
  const before = await stateOf(told.org)
  const answer = await call(injector, scenario, told, `k${++keys}`)
  expect(answer.status, answer.text).toBeLessThan(300)
  return { before, after: await stateOf(told.org), status: answer.status }
}

const all = SCENARIOS.map((scenario): [string, Scenario | string] => [
  typeof scenario === 'string' ? scenario : scenario.operation.id,
  scenario,
])
const chosen = all.filter(([, one]) => typeof one === 'string' || isChosen(one))

describe('a call that fails on the way (N5, N18, N34)', () => {
  it.each(chosen)('%s', async (id, scenario) => {
    if (typeof scenario === 'string') expect.fail(`${id} has no scenario`)
    const injector = new Injector()
    const clock = holdClock()
    const usual = await undisturbed(injector, scenario)
    const { isStepwise, isRepeatedAnew, done = [] } = scenario
    for (let n = 1; n <= POINTS_MAX; n++) {
      for (const moment of isWhole ? MOMENTS : sample(id, n)) {
        const told = await scenario.prepare()
        const key = `k${++keys}`
        const first = await injector.during(n, moment, () => call(injector, scenario, told, key))
        const place = `${injector.hit} ${n} ${moment}: ${first.status} ${first.text}`
        if (injector.hit === undefined) {
          expect(n, 'calls').toBeGreaterThan(1)
          return
        }
        points++
        expect([usual.status, 503], place).toContain(first.status)
        const between = await stateOf(told.org)
        const isDone = equal(between, usual.after)
        if (!isStepwise) expect([usual.before, usual.after], place).toContainEqual(between)
        if (first.status !== 503 && !isStepwise) expect(between, place).toEqual(usual.after)
        expect(await isCountRight(told.org.id), place).toBe(true)
        // Who has died with a claim in its hand holds it for a minute (N64).
        clock.forward(first.status === 503 && scenario.operation.method === 'POST' ? ANSWER_LEASE_MS + 1 : 0)
        const second = await call(injector, scenario, told, key)
        const allowed = isDone || isStepwise ? [usual.status, ...done] : [usual.status]
        expect(allowed, `${place}, then ${second.text}`).toContain(second.status)
        await scenario.finish?.()
        if (!isRepeatedAnew) expect(await stateOf(told.org), place).toEqual(usual.after)
      }
    }
    expect.fail('an operation without an end')
  })
})

afterAll(() => console.log(`${points} fault points of ${chosen.length} operations`))

/** One of the two moments, another one for each call of each operation. */
function sample(id: string, n: number): Moment[] {
  const isAfter = [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), n) % 2 === 0
  return [isAfter ? 'after' : 'before']
}

const equal = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b)
