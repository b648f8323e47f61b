// A task's own token stands for its organization; whatever comes beside it must say the same.
import { describe, expect, it } from 'vitest'
import { taskToken } from '../../../src/features/auth/task-token.ts'
import { activeOrganization } from '../../../src/features/organizations/service.ts'
import { call, env, newOrg, operator, type TestOrg } from '../api.ts'

async function waiting(org: TestOrg) {
  const { id } = await org.make('/event-workflow-tasks', { name: 'free', async: true })
  const bearer = `Bearer ${await taskToken(env, { orgId: org.id, taskId: id })}`
  const callBack = (headers: Record<string, string> = {}) =>
    call('POST', '/api/external-events/callback/', {
      body: { taskId: id, status: 'SUCCESS' },
      headers: { Authorization: bearer, ...headers },
    })
  const status = async () => (await org.get(`/event-workflow-tasks/${id}`)).body.status
  return { callBack, status }
}

describe('N39 the token of a task', () => {
  it('is refused beside the slug of another organization, and taken beside its own', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { callBack, status } = await waiting(org)
    for (const slug of [other.slug, 'nobody', '', org.slug.toUpperCase()]) {
      expect(await callBack({ 'X-Api-Org': slug })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    }
    expect(await status()).toBe('awaiting')
    expect((await callBack({ 'X-Api-Org': ` ${org.slug} ` })).status).toBe(200)
    expect(await status()).toBe('complete')
  })

  it('is refused beside a key that is wrong or of another organization, and taken beside one of its own', async () => {
    const [org, other] = [await newOrg(), await newOrg()]
    const { callBack, status } = await waiting(org)
    const wrong = { 'X-Api-Key': 'app:mistyped', 'X-Api-Org': org.slug, 'CF-Connecting-IP': '192.0.2.250' }
    const mixed = { 'X-Api-Key': other.key, 'X-Api-Org': org.slug }
    for (const headers of [wrong, mixed, other.headers, { 'X-Api-Key': org.key }]) {
      expect((await callBack(headers)).status).toBe(401)
    }
    expect(await status()).toBe('awaiting')
    expect((await callBack(org.headers)).status).toBe(200)
  })

  it('is worth nothing while its organization is suspended', async () => {
    const org = await newOrg()
    const { callBack, status } = await waiting(org)
    expect(await activeOrganization(env, org.id, Date.now())).toBeDefined()
    await operator('PUT', `/orgs/${org.slug}`, { suspended: true })
    expect((await callBack()).status).toBe(401)
    await operator('PUT', `/orgs/${org.slug}`, { suspended: false })
    expect(await status()).toBe('awaiting')
    expect((await callBack()).status).toBe(200)
  })
})
