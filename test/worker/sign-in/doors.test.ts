// Who may call is declared on each endpoint; here every endpoint is held to its declaration.
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/app.ts'
import type { Operation } from '../../../src/platform/http/operation.ts'
import { Caller, newTeam, type SignedIn, type Team } from './team.ts'

const operations: Operation[] = routes.map(route => route.operation)
const guarded = operations.filter(endpoint => endpoint.role !== undefined)
const name = ({ method, path }: Operation) => `${method} ${path}`

let team: Team
let member: SignedIn
let appKey: Caller
let adminsKey: Caller

beforeAll(async () => {
  team = await newTeam()
  member = await team.join()
  appKey = await team.appKey()
  const { body } = await team.admin.post('/api-keys', { name: 'mine', kind: 'user' })
  adminsKey = new Caller({ 'X-Api-Key': String(body.key), 'X-Api-Org': team.slug })
})

/** The gate comes before the body is looked at, so that none is needed. */
const knock = async (caller: Caller, { method, path }: Operation) =>
  (await caller.call(method, path.replaceAll(/:\w+/g, 'nothing-here-001'))).status

describe('N10 the doors of operations for people', () => {
  it('are known', () => {
    expect(guarded.map(name)).toEqual(expect.arrayContaining(['GET /audit', 'PUT /users/:id', 'POST /api-keys']))
  })

  it.each(guarded.map(endpoint => [name(endpoint), endpoint] as const))('%s', async (_, endpoint) => {
    expect(await knock(new Caller({}), endpoint)).toBe(401)
    expect(await knock(appKey, endpoint)).toBe(403)
    if (endpoint.role === 'admin') expect(await knock(member, endpoint)).toBe(403)
    if (endpoint.session) expect(await knock(adminsKey, endpoint)).toBe(403)
    else expect(await knock(adminsKey, endpoint)).not.toBe(403)
  })
})

describe('operations that hand out secrets', () => {
  it('N18 say so, so that none is kept for a repeat', () => {
    const silent = operations.filter(({ answer, issuesCredential }) => {
      const shape = JSON.stringify(Object.keys((answer as { shape?: object } | undefined)?.shape ?? {}))
      return /"(key|token|accessToken)"/.test(shape) && !issuesCredential
    })
    expect(silent.map(name)).toEqual([])
  })

  it('N43 and those that anybody may try are limited by address', () => {
    const open = operations.filter(
      endpoint => endpoint.access === 'anybody' && /^\/(auth|invitations)/.test(endpoint.path),
    )
    expect(open.length).toBeGreaterThanOrEqual(6)
    expect(open.filter(endpoint => !endpoint.limitedByAddress).map(name)).toEqual([])
  })
})
