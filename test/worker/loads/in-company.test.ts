// Loads take smaller steps while others are being served (N60).
import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/platform/ids.ts'
import { LOAD_COMMIT_IN_COMPANY_ENTITIES } from '../../../src/platform/limits.ts'
import { env, newOrg, type TestOrg } from '../api.ts'
import { holdClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { alone, visitOf } from '../visits.ts'
import { holdLoads, type Load, start, workOnLoads } from './loading.ts'

describe('N60 a load', () => {
  const ROWS = 1000
  const csv = ['itemFamilyFederatedId', ...Array.from({ length: ROWS }, (_, at) => `F${at}`)].join('\n')

  /** How many entities each of its commits has written. */
  async function commitsOf(org: TestOrg): Promise<number[]> {
    holdLoads()
    const { id } = await start(org, csv, { loadType: ['ITEM'] })
    const look = async () => {
      await workOnLoads(env, org.id)
      return (await org.get<Load>(`/loader-processes/${id}`)).body
    }
    expect(await eventually(look, ({ endedOn }) => endedOn !== undefined)).toMatchObject({ status: 'completed' })
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS count FROM entities WHERE org_id = ?1 AND kind = 'item' GROUP BY created_on",
    )
      .bind(org.id)
      .all<{ count: number }>()
    return results.map(({ count }) => count)
  }

  it('writes in one commit what it writes alone', async () => {
    const org = await newOrg()
    await alone(org.id)
    expect(await commitsOf(org)).toEqual([ROWS])
  })

  it('writes in smaller commits while others are being served', async () => {
    const org = await newOrg()
    holdClock()
    visitOf(newId())
    const commits = await commitsOf(org)
    expect(Math.max(...commits)).toBe(LOAD_COMMIT_IN_COMPANY_ENTITIES)
    expect(commits.reduce((sum, count) => sum + count, 0)).toBe(ROWS)
  })
})
