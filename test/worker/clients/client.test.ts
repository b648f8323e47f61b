// The client inside workerd, calling the service in the same process: it runs in Workers.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ApiError, login } from '../../../src/clients/typescript/index.ts'
import { newOrg, ORIGIN } from '../api.ts'

type Worker = { default: { fetch: typeof fetch } }
const inProcess: typeof fetch = (input, init) => (exports as unknown as Worker).default.fetch(new Request(input, init))

describe('the client in a Worker', () => {
  it('logs in, writes and reads, and raises an ApiError with the status', async () => {
    const { slug, key } = await newOrg()
    const options = { baseUrl: `${ORIGIN}/api`, orgSlug: slug, apiKey: key, fetch: inProcess }
    const client = await login(options)
    const made = await client.entities.create({ entityName: 'item', object: { name: 'Linen shirt' } })
    expect(await client.entities.get({ entityName: 'item', id: made.id })).toEqual(made)
    const wrong = await login({ ...options, apiKey: 'app:wrong' }).catch(reason => reason)
    expect(wrong).toBeInstanceOf(ApiError)
    expect(wrong.status).toBe(401)
  })
})
