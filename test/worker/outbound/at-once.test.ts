// Endpoints that several set at once: what was replaced stays replaced.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { secretOwner } from '../../../src/features/outbound/call.ts'
import * as store from '../../../src/features/outbound/store.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { decryptSecret, encryptSecret } from '../../../src/platform/secrets.ts'
import { env, newOrg, operator, type TestOrg } from '../api.ts'
import { header, hmac, put, SECRET } from './partner.ts'

afterEach(() => vi.restoreAllMocks())

const secret = (letter: string) => `whsec_${btoa(letter.repeat(32))}`
const KEPT = { kind: 'hmac', secret: '********' }
const MOVED = 'https://elsewhere.example.com/'
const { writeEndpoint } = store

/** Between the look at the endpoint and the write, as often as said. */
function meanwhile(times: number, act: (at: number) => Promise<unknown>): void {
  let at = 0
  let isActing = false
  vi.spyOn(store, 'writeEndpoint').mockImplementation(async (...given) => {
    if (!isActing && at < times) {
      isActing = true
      await act(at++)
      isActing = false
    }
    return writeEndpoint(...given)
  })
}

async function stored(org: TestOrg, from = env) {
  const row = await store.findEndpoint(databaseFor(env, org.id), org.id, 'partner')
  const open = (sealed?: string | null) => sealed && decryptSecret(from, secretOwner(org.id, 'partner'), sealed)
  return { url: row?.url, secret: await open(row?.sealedSecret), before: await open(row?.sealedOldSecret) }
}

describe('an endpoint that is set twice at once', () => {
  it('N41 keeps the secret that was set last, whoever sends the masked one', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    meanwhile(1, () => put(org, { auth: { kind: 'hmac', secret: secret('b') } }))
    expect((await put(org, { url: MOVED, auth: KEPT })).status).toBe(200)
    expect(await stored(org)).toEqual({ url: MOVED, secret: secret('b'), before: SECRET })
  })

  it('N41 leaves the secret before in force that others know by now', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    meanwhile(1, () => put(org, { auth: { kind: 'hmac', secret: secret('b') } }))
    expect((await put(org, { auth: { kind: 'hmac', secret: secret('c') } })).status).toBe(200)
    expect(await stored(org)).toMatchObject({ secret: secret('c'), before: secret('b') })
  })

  it('N12 has its secret sealed by the key in force, also where the cron comes in between', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    const later = { ...env, SECRETS_KEY: 'a key of the tests that comes later' }
    meanwhile(1, async () => {
      const db = databaseFor(env, org.id)
      const [row] = await store.selectEndpoints(db, org.id)
      const sealedSecret = await encryptSecret(later, secretOwner(org.id, 'partner'), SECRET)
      if (row) await store.replaceSecrets(db, row, { sealedSecret, sealedOldSecret: null })
    })
    expect((await put(org, { url: MOVED, auth: KEPT })).status).toBe(200)
    expect(await stored(org, later)).toEqual({ url: MOVED, secret: SECRET, before: null })
  })

  it('N41 has no secret to keep where it was removed, or is secured otherwise by now', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    meanwhile(1, () => put(org, { auth: header }))
    expect((await put(org, { auth: KEPT })).status).toBe(400)
    await put(org, { auth: hmac })
    meanwhile(1, () => operator('DELETE', `/orgs/${org.slug}/endpoints/partner`))
    expect((await put(org, { auth: KEPT })).status).toBe(400)
    expect(await stored(org)).toMatchObject({ url: undefined })
  })

  it('N41 is made once, and set by the other', async () => {
    const org = await newOrg()
    meanwhile(1, () => put(org, { auth: hmac }))
    expect((await put(org, { url: MOVED, auth: { kind: 'hmac', secret: secret('c') } })).status).toBe(200)
    expect(await stored(org)).toEqual({ url: MOVED, secret: secret('c'), before: SECRET })
  })

  it('N41 is refused where others set it again and again', async () => {
    const org = await newOrg()
    await put(org, { auth: hmac })
    meanwhile(9, at => put(org, { auth: { kind: 'hmac', secret: secret(String(at)) } }))
    expect(await put(org, { url: MOVED, auth: KEPT })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('at the same time') },
    })
  })
})
