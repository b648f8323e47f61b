// The lists of an organization's people and keys, page by page, beside another organization that has the same at the same time.
import { expect, it } from 'vitest'
import type { Json } from '../api.ts'
import { holdClock } from '../clock.ts'
import { type Caller, newEmail, newTeam, type Team } from './team.ts'

async function pagesOf(caller: Caller, path: string, limit: number): Promise<Json[]> {
  const found: Json[] = []
  let key: unknown
  do {
    const { status, body } = await caller.get(`${path}?limit=${limit}${key ? `&nextPageKey=${key}` : ''}`)
    expect(status).toBe(200)
    found.push(...(body.results ?? []))
    key = body.nextPageKey
  } while (key)
  return found
}

/** Two of each at one moment, and two at the next: a place in the list is a time and, among equals, an id. */
async function fill(teams: readonly Team[], forward: (ms: number) => void): Promise<void> {
  for (let moment = 0; moment < 2; moment++) {
    for (const { admin, join } of [...teams, ...teams]) {
      expect((await admin.post('/invitations', { email: newEmail() })).status).toBe(201)
      expect((await admin.post('/api-keys', { name: `key ${moment}` })).status).toBe(201)
      await join()
    }
    forward(1000)
  }
}

it('hold all of the organization once, in their order, and nothing of another, whatever the length of a page', async () => {
  const clock = holdClock()
  const [own, other] = [await newTeam(), await newTeam()]
  await fill([own, other], clock.forward)
  for (const { path, count, time, isNewestFirst } of [
    { path: '/invitations', count: 8, time: 'createdOn', isNewestFirst: true },
    { path: '/api-keys', count: 4, time: 'createdOn', isNewestFirst: true },
    { path: '/audit', count: 22, time: 'createdOn', isNewestFirst: true },
    { path: '/users', count: 5, time: 'joinedOn', isNewestFirst: false },
  ]) {
    const whole = await pagesOf(own.admin, path, 1000)
    const times = whole.map(one => String(one[time]))
    expect([path, times]).toEqual([path, isNewestFirst ? times.toSorted().reverse() : times.toSorted()])
    expect([path, new Set(whole.map(({ id }) => id)).size]).toEqual([path, count])
    expect(await pagesOf(own.admin, path, 1)).toEqual(whole)
    expect(await pagesOf(own.admin, path, 3)).toEqual(whole)
    const theirs = new Set((await pagesOf(other.admin, path, 1000)).map(({ id }) => id))
    expect(whole.filter(({ id }) => theirs.has(id))).toEqual([])
  }
})
