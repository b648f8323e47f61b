import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SIGN_IN_FREE_FAILURES, SIGN_IN_FREE_FAILURES_OF_ACCOUNT } from '../../../src/features/sign-in/limits.ts'
import { env } from '../api.ts'
import { holdClock } from '../clock.ts'
import { inOneMinute } from '../minute.ts'
import { newAddress, newEmail, newTeam, PASSWORD, signIn, stranger } from './team.ts'

describe('guessing passwords', () => {
  let guesser = stranger()
  beforeEach(() => {
    guesser = stranger()
  })
  const guess = (email: string, orgSlug: string, password = 'wrong password') =>
    guesser.post('/auth/login', { email, password, orgSlug })

  it('N10 closes an account to an address for a while after five failures there, also against the right password', async () => {
    const team = await newTeam()
    const { email } = team.admin
    const clock = holdClock()
    for (let failure = 1; failure <= 6; failure++) expect((await guess(email, team.slug)).status).toBe(401)
    const closed = await guess(email, team.slug, PASSWORD)
    expect(closed.status).toBe(429)
    expect(Number(closed.headers.get('Retry-After'))).toBe(1)
    clock.forward(999)
    expect((await guess(email, team.slug, PASSWORD)).status).toBe(429)
    clock.forward(1)
    expect((await guess(email, team.slug, PASSWORD)).status).toBe(200)
    expect((await guess(email, team.slug)).status).toBe(401)
    expect((await guess(email, team.slug)).status).toBe(401)
  })

  it('N10 says for how long: twice as long after each further failure', async () => {
    const team = await newTeam()
    const { email } = team.admin
    const clock = holdClock()
    for (let failure = 1; failure <= 6; failure++) await guess(email, team.slug)
    for (const seconds of [1, 2, 4]) {
      const closed = await guess(email, team.slug)
      expect([closed.status, closed.headers.get('Retry-After')]).toEqual([429, String(seconds)])
      clock.forward(seconds * 1000)
      expect((await guess(email, team.slug)).status).toBe(401)
    }
  })

  it("N61 does not let a stranger's failures lock the person out", async () => {
    const team = await newTeam()
    const { email } = team.admin
    holdClock()
    for (let failure = 1; failure <= 7; failure++) await guess(email, team.slug)
    expect((await guess(email, team.slug)).status).toBe(429)
    await signIn(team.slug, email)
  })

  it('N61 lets strangers wait among themselves: people who are known have their passwords checked elsewhere', async () => {
    const team = await newTeam()
    const { email } = team.admin
    const places = vi.spyOn(env.HASHING, 'idFromName')
    onTestFinished(() => places.mockRestore())
    const placeOf = async (password: string) => {
      places.mockClear()
      await guess(email, team.slug, password)
      return places.mock.lastCall?.[0]
    }
    const ofStrangers = await placeOf('wrong password')
    expect(await placeOf(PASSWORD)).toBe(ofStrangers)
    const ofKnown = await placeOf('wrong password')
    expect(ofKnown).not.toBe(ofStrangers)
    expect(await placeOf(PASSWORD)).toBe(ofKnown)
  })

  it('N61 closes an account to all addresses that it does not know after very many failures', async () => {
    const team = await newTeam()
    const { email } = team.admin
    const home = stranger()
    const atHome = () => home.post('/auth/login', { email, password: PASSWORD, orgSlug: team.slug })
    expect((await atHome()).status).toBe(200)
    holdClock()
    const statuses: number[] = []
    for (let failure = 0; failure <= SIGN_IN_FREE_FAILURES_OF_ACCOUNT + 1; failure++) {
      guesser = stranger()
      statuses.push((await guess(email, team.slug)).status)
    }
    expect(statuses.indexOf(429)).toBe(SIGN_IN_FREE_FAILURES_OF_ACCOUNT + 1)
    expect(statuses.at(-1)).toBe(429)
    guesser = stranger()
    expect((await guess(email, team.slug, PASSWORD)).status).toBe(429)
    expect((await atHome()).status).toBe(200)
  })

  it('N61 counts nothing behind the closed door of one address: the account stays open for all others', async () => {
    const team = await newTeam()
    const { email } = team.admin
    holdClock()
    const statuses: number[] = []
    // From three addresses, for more than 60 attempts a minute from one are refused before they are looked at.
    for (let attempt = 0; attempt < SIGN_IN_FREE_FAILURES_OF_ACCOUNT + 50; attempt++) {
      if (attempt % 50 === 0) guesser = stranger()
      statuses.push((await guess(email, team.slug)).status)
    }
    expect(statuses.filter(status => status === 401)).toHaveLength(3 * (SIGN_IN_FREE_FAILURES + 1))
    expect(statuses.at(-1)).toBe(429)
    guesser = stranger()
    expect((await guess(email, team.slug, PASSWORD)).status).toBe(200)
  })

  it('N10 closes the account of a person who does not exist just the same', async () => {
    const team = await newTeam()
    const email = newEmail('nobody')
    holdClock()
    for (let failure = 1; failure <= 6; failure++) expect((await guess(email, team.slug)).status).toBe(401)
    expect((await guess(email, team.slug)).status).toBe(429)
  })

  it('N10 lets no more through when many guesses come at once', async () => {
    const team = await newTeam()
    holdClock()
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(team.admin.email, team.slug)))
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(6)
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(14)
  })

  it('N10 N43 limits sign-ins from one address to 60 a minute', async () => {
    const statuses = await inOneMinute(async () => {
      const address = newAddress()
      const visit = () =>
        stranger().call('POST', '/auth/password-reset', {
          body: { token: 'x', newPassword: PASSWORD },
          headers: { 'CF-Connecting-IP': address },
        })
      return Promise.all(Array.from({ length: 61 }, async () => (await visit()).status))
    })
    expect(statuses.sort()).toEqual([...Array(60).fill(404), 429])
  })
})
