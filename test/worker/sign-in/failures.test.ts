// What strangers leave behind by knocking is bounded: rows of failures go after a day, and lines of the audit trail are few.
import { describe, expect, it } from 'vitest'
import { accountOf } from '../../../src/features/sign-in/attempts.ts'
import { SIGN_IN_STRANGERS_NOTED_AN_HOUR } from '../../../src/features/sign-in/limits.ts'
import { sweepPeople } from '../../../src/features/sign-in/sweep.ts'
import { env } from '../api.ts'
import { holdClock } from '../clock.ts'
import { Caller, newAddress, newEmail, newTeam, PASSWORD, stranger, type Team } from './team.ts'

const DAY_MS = 86_400_000
const HOUR_MS = DAY_MS / 24

const knock = (team: Team, email: string, caller: Caller = stranger(), password = 'wrong password') =>
  caller.post('/auth/login', { email, password, orgSlug: team.slug })

async function failuresOf({ id }: Team): Promise<Record<string, unknown>[]> {
  const lines = env.DB.prepare("SELECT detail FROM audit WHERE org_id = ? AND action = 'sign_in_failed' ORDER BY seq")
  const { results } = await lines.bind(id).all<{ detail: string }>()
  return results.map(({ detail }) => JSON.parse(detail) as Record<string, unknown>)
}

describe('N61 counted sign-ins', () => {
  it('are swept a day after the last failure, and addresses that are known after ninety', async () => {
    const team = await newTeam()
    const address = newAddress()
    const caller = new Caller({ 'CF-Connecting-IP': address })
    const { email } = team.admin
    expect((await knock(team, email, caller, PASSWORD)).status).toBe(200)
    expect((await knock(team, email, caller)).status).toBe(401)
    expect((await knock(team, email)).status).toBe(401)
    const account = await accountOf({ address }, team.slug, email)
    const names = Object.values(account)
    const left = async () => {
      const select = env.DB.prepare(`SELECT account FROM attempts WHERE account IN (?, ?, ?)`).bind(...names)
      return (await select.all<{ account: string }>()).results.map(row => row.account)
    }
    expect((await left()).sort()).toEqual([...names].sort())
    await sweepPeople(env, Date.now() + DAY_MS - HOUR_MS)
    expect(await left()).toHaveLength(3)
    await sweepPeople(env, Date.now() + DAY_MS + HOUR_MS)
    expect(await left()).toEqual([account.known])
    await sweepPeople(env, Date.now() + 91 * DAY_MS)
    expect(await left()).toEqual([])
  })

  it('are swept along an index', async () => {
    for (const condition of ['failures > 0', 'failures = 0']) {
      const plan = await env.DB.prepare(
        `EXPLAIN QUERY PLAN SELECT rowid FROM attempts WHERE ${condition} AND last_on <= ? LIMIT 1000`,
      )
        .bind(1)
        .all<{ detail: string }>()
      expect(plan.results[0]?.detail).toMatch(/^SEARCH attempts USING (COVERING )?INDEX/)
    }
  })
})

describe('the audit trail', () => {
  it('N61 tells once for each time that an account is closed that somebody knocked', async () => {
    const team = await newTeam()
    const clock = holdClock()
    const caller = stranger()
    const again = () => knock(team, team.admin.email, caller)
    for (let failure = 1; failure <= 6; failure++) expect((await again()).status).toBe(401)
    for (let refusal = 1; refusal <= 4; refusal++) expect((await again()).status).toBe(429)
    const closed = async () => (await failuresOf(team)).filter(({ reason }) => reason === 'closed')
    expect(await failuresOf(team)).toHaveLength(7)
    expect(await closed()).toEqual([{ reason: 'closed', email: team.admin.email }])
    clock.forward(1000)
    expect((await again()).status).toBe(401)
    for (let refusal = 1; refusal <= 3; refusal++) expect((await again()).status).toBe(429)
    expect(await closed()).toHaveLength(2)
    expect(await failuresOf(team)).toHaveLength(9)
  })

  it('N61 holds a bounded number of strangers an hour, and members beside them', async () => {
    const team = await newTeam()
    const clock = holdClock()
    for (let name = 0; name < SIGN_IN_STRANGERS_NOTED_AN_HOUR + 5; name++) {
      expect((await knock(team, newEmail('nobody'))).status).toBe(401)
    }
    expect(await failuresOf(team)).toHaveLength(SIGN_IN_STRANGERS_NOTED_AN_HOUR)
    expect((await knock(team, team.admin.email)).status).toBe(401)
    expect((await failuresOf(team)).at(-1)).toMatchObject({ email: team.admin.email })
    clock.forward(HOUR_MS)
    await knock(team, newEmail('nobody'))
    expect(await failuresOf(team)).toHaveLength(SIGN_IN_STRANGERS_NOTED_AN_HOUR + 2)
  })
})
