// What `/health` tells anybody who asks. // N62
import { describe, expect, it, vi } from 'vitest'
import packageJson from '../../../package.json'
import { app } from '../../../src/app.ts'
import { knownSchema, SCHEMA } from '../../../src/platform/db/schema-state.ts'
import { call, env } from '../api.ts'

const healthWith = async (changed: Record<string, unknown>) => {
  const answer = await app.request('/health', {}, { ...env, ...changed })
  return { status: answer.status, body: await answer.json() }
}

/** A database that answers with these migrations, or not at all. */
const databaseWith = (names: string[] | Error) => ({
  withSession: () => ({
    prepare: () => ({ bind: () => ({}) }),
    batch: async () => {
      if (names instanceof Error) throw names
      return [{ results: names.map(name => ({ name })), meta: {} }]
    },
    getBookmark: () => null,
  }),
})

describe('N62 /health', () => {
  it('tells version, schema and that nothing is missing', async () => {
    const { status, body, headers } = await call('GET', '/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'ok',
      version: packageJson.version,
      environment: 'test',
      schema: { expected: SCHEMA, applied: SCHEMA },
      missingBindings: [],
    })
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  it('names what is missing, and no values', async () => {
    const { status, body } = await healthWith({ SECRETS_KEY: undefined, STEP_QUEUE: undefined })
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'degraded', missingBindings: ['STEP_QUEUE', 'SECRETS_KEY'] })
    expect(JSON.stringify(body)).not.toContain(env.OPERATOR_KEY)
  })

  it('is degraded before the database has the migrations of the code, and where it does not answer', async () => {
    const behind = await healthWith({ DB: databaseWith(['0000_initial.sql']) })
    expect(behind).toMatchObject({ status: 503, body: { schema: { expected: SCHEMA, applied: '0000_initial' } } })
    const silent = await healthWith({ DB: databaseWith(new Error('D1_ERROR: no such table')) })
    expect(silent).toMatchObject({ status: 503, body: { schema: { applied: null } } })
  })

  it('is well on a schema that is ahead of the code: a rollback goes back to the code alone', async () => {
    const ahead = await healthWith({ DB: databaseWith([`${SCHEMA}.sql`, '9999_later.sql']) })
    expect(ahead).toMatchObject({ status: 200, body: { status: 'ok', schema: { applied: '9999_later' } } })
  })

  it('asks the database at most once in five seconds', async () => {
    const DB = databaseWith([`${SCHEMA}.sql`])
    const asked = vi.spyOn(DB, 'withSession')
    const bound = { DB } as never
    expect(await knownSchema(bound, 10_000)).toMatchObject({ isEnough: true })
    const { length } = asked.mock.calls
    await knownSchema(bound, 14_999)
    expect(asked).toHaveBeenCalledTimes(length)
    await knownSchema(bound, 15_000)
    expect(asked.mock.calls.length).toBeGreaterThan(length)
  })

  it('N12 a short operator key opens nothing', async () => {
    const answer = await app.request(
      '/api/operator/orgs',
      { headers: { 'X-Operator-Key': 'changeme' } },
      { ...env, OPERATOR_KEY: 'changeme' },
    )
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'operator_closed' })
  })
})
