// What a move reads of large tables goes along an index, however many organizations there are beside it (N57).
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database, type Statement } from '../../../src/platform/db/client.ts'
import { env } from '../api.ts'
import { furnished } from '../backup/furnished.ts'
import { stepByHand, steppedTo } from './moving.ts'

const LARGE = /^(entities|changes|unrecorded_changes|publishes|deliveries)$/

describe('the statements of a move (N57)', () => {
  it('look through no large table', async () => {
    stepByHand()
    const org = await furnished()
    const heard = new Map<string, Statement<unknown>>()
    const { batch } = Database.prototype
    const spy = vi.spyOn(Database.prototype, 'batch').mockImplementation(function (this: Database, statements) {
      for (const one of statements) heard.set(one.sql, one)
      return batch.call(this, statements) as never
    })
    onTestFinished(() => spy.mockRestore())
    await steppedTo(org, 'DATA_01')
    spy.mockRestore()
    const scans: string[] = []
    for (const { sql, params } of heard.values()) {
      if (!/^\s*(SELECT|WITH|DELETE|UPDATE)/.test(sql) || !sql.includes('org_id')) continue
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>()
      for (const { detail } of results) {
        const [, table = ''] = /^SCAN (\w+)$/.exec(detail) ?? []
        if (LARGE.test(table)) scans.push(`${detail}: ${sql}`)
      }
    }
    expect(heard.size).toBeGreaterThan(30)
    expect(scans).toEqual([])
  })
})
