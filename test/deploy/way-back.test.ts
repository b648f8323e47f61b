// The release before this one on the schema of today: after a rollback, and while both run side by side. // N62
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fill, READS } from '../upgrade/calls.ts'
import { buildWorker, type Call, KEYS, migrate, pause, previousWorker, run } from '../upgrade/release.ts'

const root = path.resolve(import.meta.dirname, '../..')
const drizzle = path.join(root, 'drizzle')
let state: string

beforeEach(() => {
  state = mkdtempSync(path.join(tmpdir(), 'selvedge-way-back-'))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

interface Shown {
  id?: string
  results?: { id: string; version?: number }[]
}

/** What each list, or the thing itself, is about. */
async function shownBy(call: Call, credentials: Record<string, string>) {
  const shown: Record<string, unknown> = {}
  for (const where of READS) {
    const { id, results } = await call<Shown>('GET', where, credentials)
    shown[where] = results?.map(each => `${each.id} ${each.version}`) ?? id
  }
  return shown
}

describe('N62 the release before, on the schema of today', () => {
  it('does all that it did', async () => {
    const before = await run(previousWorker(), state)
    try {
      await migrate(before, drizzle)
      const credentials = await fill(before.call, KEYS.OPERATOR_KEY, pause)
      expect(Object.keys(await shownBy(before.call, credentials))).toHaveLength(READS.length)
    } finally {
      await before.end()
    }
  })

  it('shows what this release has written, and goes on with it', async () => {
    const now = await run(await buildWorker(root), state)
    await migrate(now, drizzle)
    const credentials = await fill(now.call, KEYS.OPERATOR_KEY, pause)
    const expected = await shownBy(now.call, credentials)
    await now.end()

    const before = await run(previousWorker(), state)
    const shown = await shownBy(before.call, credentials)
    const [item] = (await before.call<Required<Shown>>('GET', '/items?limit=1', credentials)).results
    const changed = await before.call('PUT', `/items/${item?.id}`, credentials, { name: 'After the way back' })
    await before.end()
    expect(shown).toEqual(expected)
    expect(changed).toMatchObject({ id: item?.id, name: 'After the way back' })

    // And forward again.
    const again = await run(await buildWorker(root), state)
    const kept = await again.call('GET', `/items/${item?.id}`, credentials)
    await again.end()
    expect(kept).toMatchObject({ name: 'After the way back' })
  })
})
