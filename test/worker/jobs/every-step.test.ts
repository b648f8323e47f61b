// Every registered job, killed before and after each of its steps: it ends as if nothing had happened (N34).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { beginBackup } from '../../../src/features/backup/nightly.ts'
import { lanes } from '../../../src/jobs.ts'
import { Database, databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Lane } from '../../../src/platform/jobs/job.ts'
import { JOB_MAX_FAILURES } from '../../../src/platform/jobs/limits.ts'
import { runLane } from '../../../src/platform/jobs/run.ts'
import { cancelJob, databaseOfJobs, hasJobs, insertJob, readJob } from '../../../src/platform/jobs/store.ts'
import { WatchObject } from '../../../src/platform/wake/watch-object.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { archiveOf, backupsOf, bucket } from '../backup/kept.ts'
import { holdClock } from '../clock.ts'
import { all, holdLoads, SMALL, start } from '../loads/loading.ts'
import { begin as beginMove, look, stateIn } from '../moves/moving.ts'
import { stateOf } from '../reverts/reverting.ts'
import { SAMPLES } from './sample-job.ts'

const LANES = [SAMPLES, ...lanes(SMALL)]
const CSV = `federatedId,name\n${Array.from({ length: 6 }, (_, at) => `C${at},Color ${at}`).join('\n')}\n`
const RUNS_MAX = 30

const samples = (org: TestOrg, words: string[], id = newId()) =>
  databaseFor(env, org.id)
    .batch([
      insertJob({
        id,
        orgId: org.id,
        lane: 'sample',
        kind: 'sample',
        state: { phase: 'making', words } as never,
        now: Date.now(),
      }),
    ])
    .then(() => id)

interface Begun {
  /** What there is to compare in the end, without ids and times. */
  outcome(): Promise<unknown>
}

const shownOf = async (org: TestOrg, path: string) => {
  const { status, results, errorCount, failure } = (await org.get(path)).body
  return { status, results, errorCount, failure }
}

const names = async (org: TestOrg, path: string) => (await all(org, path)).map(({ name }) => String(name)).sort()

const BEGIN: Record<string, (org: TestOrg) => Promise<Begun>> = {
  async sample(org) {
    await samples(org, ['a', 'b', 'c'])
    return { outcome: () => names(org, '/items') }
  },
  async load(org) {
    const { id } = await start(org, CSV, { loadType: ['COLOR'] })
    return { outcome: async () => [await shownOf(org, `/loader-processes/${id}`), await names(org, '/colors')] }
  },
  async backup(org) {
    await org.make('/items', { name: 'a' })
    await beginBackup(env, bucket(), org.id, org.slug, Date.now())
    return {
      outcome: async () => {
        const backups = await backupsOf(org.id)
        const archives = await Promise.all(backups.map(archiveOf))
        return archives.map(({ pages }) => pages.join('').match(/"table":"entities"/g)?.length)
      },
    }
  },
  async move(org) {
    await org.make('/items', { name: 'a' })
    await beginMove(org, 'DATA_01')
    const state = async () => (await look(org)).body.state
    return { outcome: async () => [await state(), await names(org, '/items'), await stateIn('DATA_01', org.id)] }
  },
  async revert(org) {
    const { id } = await start(org, CSV, { loadType: ['COLOR'] })
    await finished(org, laneOf('load'))
    const { body } = await org.post(`/loader-processes/${id}/revert`, {})
    return { outcome: async () => [await shownOf(org, `/revert-processes/${body.id}`), await stateOf(org)] }
  },
}

const KINDS = LANES.flatMap(({ jobs }) => jobs.map(({ kind }) => kind))

function laneOf(kind: string): Lane {
  const lane = LANES.find(({ jobs }) => jobs.some(job => job.kind === kind))
  if (!lane) throw new Error(`no lane of ${kind}`)
  return lane
}

async function isUnderWay(org: TestOrg, { home, name }: Lane): Promise<boolean> {
  return hasJobs(databaseOfJobs(env, home, org.id), home, org.id, name)
}

/** The worker that makes the n-th step dies before it, or after it: nothing that it does from then on takes effect. */
class Death {
  steps = 0
  #isDead = false
  readonly #spy

  constructor(org: TestOrg, nth: number, moment: 'before' | 'after') {
    const { batch } = Database.prototype
    const died = () => new Error('the worker died')
    const isDead = () => this.#isDead
    const next = () => ++this.steps === nth
    const die = () => {
      this.#isDead = true
    }
    this.#spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(async function (this: Database, statements) {
      if (isDead()) throw died()
      const isStep = statements.some(
        ({ sql, params }) =>
          /^(update|delete from) "(directory_)?jobs"(?!.*"attempts" = "jobs"."attempts" \+)/i.test(sql) &&
          params.includes(org.id),
      )
      if (!isStep || !next()) return batch.call(this, statements)
      if (moment === 'after') await batch.call(this, statements)
      die()
      throw died()
    })
  }

  /** Another worker takes over. */
  revive(): void {
    this.#isDead = false
  }

  restore(): void {
    this.#spy.mockRestore()
  }
}

async function finished(org: TestOrg, lane: Lane, after: () => void = () => undefined): Promise<void> {
  for (let run = 0; await isUnderWay(org, lane); run++) {
    if (run > RUNS_MAX) throw new Error('it does not come to an end')
    await runLane(env, lane, org.id).catch(() => undefined)
    after()
  }
}

async function killed(kind: string, nth: number, moment: 'before' | 'after') {
  const org = await newOrg()
  const lane = laneOf(kind)
  const { outcome } = await (BEGIN[kind] as (org: TestOrg) => Promise<Begun>)(org)
  const death = new Death(org, nth, moment)
  const clock = holdClock()
  try {
    await finished(org, lane, () => {
      death.revive()
      clock.forward(10_000)
    })
  } finally {
    death.restore()
  }
  return { outcome: await outcome(), steps: death.steps }
}

function quiet(): void {
  holdLoads()
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => spy.mockRestore())
}

describe('N34 a job that is killed', () => {
  it('knows every kind of job', () => {
    expect(Object.keys(BEGIN).sort()).toEqual([...KINDS].sort())
  })

  it.each(KINDS)('%s: before and after each of its steps ends as if nothing had happened', async kind => {
    quiet()
    const undisturbed = await killed(kind, 0, 'before')
    expect(undisturbed.steps).toBeGreaterThan(1)
    for (let nth = 1; nth <= undisturbed.steps; nth++) {
      for (const moment of ['before', 'after'] as const) {
        const { outcome } = await killed(kind, nth, moment)
        expect(outcome, `${moment} step ${nth}`).toEqual(undisturbed.outcome)
      }
    }
  })
})

describe('N34 a lane of jobs', () => {
  it('counts a step once, however many wake-ups come at once', async () => {
    quiet()
    const org = await newOrg()
    await samples(org, ['a', 'b', 'c', 'd'])
    await Promise.all(Array.from({ length: 5 }, () => runLane(env, SAMPLES, org.id)))
    await finished(org, SAMPLES)
    expect(await names(org, '/items')).toEqual(['4 words', 'a', 'b', 'c', 'd'])
  })

  it('gives up a job that fails again and again, and runs the next one', async () => {
    quiet()
    const org = await newOrg()
    const bad = await samples(org, ['a', 'poison'])
    await samples(org, ['z'])
    for (let time = 0; time < JOB_MAX_FAILURES; time++) {
      await expect(runLane(env, SAMPLES, org.id)).rejects.toThrow('poison')
    }
    expect(await readJob(databaseFor(env, org.id), 'organization', org.id, bad)).toMatchObject({
      failures: JOB_MAX_FAILURES,
    })
    await runLane(env, SAMPLES, org.id)
    expect(await names(org, '/items')).toEqual(['1 words', 'a', 'failed', 'z'])
  })

  it('ends a cancelled job, and runs the next one', async () => {
    quiet()
    const org = await newOrg()
    const first = await samples(org, ['a'])
    await samples(org, ['z'])
    expect(await cancelJob(databaseFor(env, org.id), 'organization', org.id, first)).toBe(true)
    await runLane(env, SAMPLES, org.id)
    expect(await names(org, '/items')).toEqual(['1 words', 'z'])
    expect(await cancelJob(databaseFor(env, org.id), 'organization', org.id, first)).toBe(false)
  })

  it('ends its watchdog when no job is left', async () => {
    quiet()
    const org = await newOrg()
    const rest = vi.spyOn(WatchObject.prototype, 'rest')
    onTestFinished(() => rest.mockRestore())
    await samples(org, ['a'])
    await runLane(env, SAMPLES, org.id)
    expect(rest).toHaveBeenCalledOnce()
  })
})
