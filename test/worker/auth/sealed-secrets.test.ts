// Secrets that are kept sealed, and the change of the key that seals them (N12).
import { describe, expect, it, vi } from 'vitest'
import { ownerOfTaskToken, taskToken } from '../../../src/features/auth/task-token.ts'
import { secretsByKey } from '../../../src/features/operator/secrets.ts'
import { secretOwner } from '../../../src/features/outbound/call.ts'
import { resealEndpoints } from '../../../src/features/outbound/reseal.ts'
import { selectEndpoints } from '../../../src/features/outbound/store.ts'
import { providerOwner } from '../../../src/features/sso/provider-settings.ts'
import { resealProviders } from '../../../src/features/sso/reseal.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import type { Env } from '../../../src/platform/env.ts'
import { decryptSecret, encryptSecret, sealedNow } from '../../../src/platform/secrets.ts'
import { env, newOrg, operator } from '../api.ts'

describe('secrets that must be recovered', () => {
  it('N12 are encrypted differently each time and come back only with their key and their owner', async () => {
    const [key, other] = [{ SECRETS_KEY: 'key' }, { SECRETS_KEY: 'other' }]
    const one = await encryptSecret(key, 'org 1', 'whsec_ä')
    const two = await encryptSecret(key, 'org 1', 'whsec_ä')
    expect(one).not.toBe(two)
    expect(one).not.toContain('whsec')
    expect(await decryptSecret(key, 'org 1', one)).toBe('whsec_ä')
    await expect(decryptSecret(other, 'org 1', one)).rejects.toThrow()
    await expect(decryptSecret(key, 'org 2', one)).rejects.toThrow()
    for (const broken of ['', 'v1', 'v2.a.b', one.slice(0, -2), one.replace('v2.', 'v2.A'), 'v1.!.!']) {
      await expect(decryptSecret(key, 'org 1', broken)).rejects.toThrow()
    }
  })

  it('N12 name their key, so that it can be changed: those before it still open, and are replaced by the cron', async () => {
    const [old, now] = [{ SECRETS_KEY: 'old' }, { SECRETS_KEY: 'new', SECRETS_KEYS_OLD: 'older old' }]
    const sealed = await encryptSecret(old, 'org 1', 'secret')
    expect(await decryptSecret(now, 'org 1', sealed)).toBe('secret')
    expect(sealed.startsWith(await sealedNow(now))).toBe(false)
    expect((await encryptSecret(now, 'org 1', 'secret')).startsWith(await sealedNow(now))).toBe(true)
    // As the first release wrote it.
    const [, , iv, text] = sealed.split('.')
    expect(await decryptSecret(now, 'org 1', `v1.${iv}.${text}`)).toBe('secret')
    const token = await taskToken(old, { orgId: 'a'.repeat(16), taskId: 'b'.repeat(16) })
    expect(await ownerOfTaskToken(now, token)).toBeDefined()
    expect(await ownerOfTaskToken({ SECRETS_KEY: 'new' }, token)).toBeUndefined()
  })

  it('N12 are sealed anew by the cron, after which the key before is not needed', async () => {
    const org = await newOrg()
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
    const set = { url: 'https://shop.example.com/', auth: { kind: 'hmac', secret } }
    await operator('PUT', `/orgs/${org.slug}/endpoints/shop`, set)
    // While deliveries are signed with two secrets, both are sealed anew.
    const later = `whsec_${btoa('fedcba9876543210fedcba9876543210')}`
    await operator('PUT', `/orgs/${org.slug}/endpoints/shop`, { ...set, auth: { kind: 'hmac', secret: later } })
    const next = { ...env, SECRETS_KEY: 'a key of the tests that comes after', SECRETS_KEYS_OLD: env.SECRETS_KEY ?? '' }
    const resealAll = async (to: Env) => {
      for (let at = 0; at < 3; at++) await resealEndpoints(to)
    }
    await resealAll(next)
    const [row] = await selectEndpoints(databaseFor(env, org.id), org.id)
    const { SECRETS_KEYS_OLD: _, ...alone } = next
    const opened = (sealed: string | null | undefined) =>
      decryptSecret(alone, secretOwner(org.id, 'shop'), sealed ?? '')
    expect([await opened(row?.sealedSecret), await opened(row?.sealedOldSecret)]).toEqual([later, secret])
    const sealedBy = await sealedNow(alone)
    expect([row?.sealedSecret, row?.sealedOldSecret].filter(sealed => sealed?.startsWith(sealedBy))).toHaveLength(2)
    // Files of tests share the database, so that others may be counted as well.
    const { results } = await secretsByKey({ env: alone })
    expect(results.find(({ isInForce }) => isInForce)?.secrets).toBeGreaterThanOrEqual(2)
    // For the other tests of this runtime.
    await resealAll({ ...env, SECRETS_KEYS_OLD: next.SECRETS_KEY })
  })

  it('N12 are sealed anew behind those that no key opens, however many these are', async () => {
    const org = await newOrg()
    const lost = 'v2.unknown.AAAA.AAAA'
    const many = (
      columns: string,
      values: string,
    ) => `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 120)
      INSERT INTO ${columns} SELECT ${values} FROM c`
    // Ids of organizations come behind these.
    await env.DB.batch([
      env.DB.prepare(
        many(
          'endpoints (org_id, name, url, events, include_loads, auth_kind, sealed_secret, base_url, created_on, updated_on)',
          `'!lost', n, '', '[]', 0, 'hmac', '${lost}', '', 0, 0`,
        ),
      ),
      env.DB.prepare(
        many(
          'identity_providers (org_id, issuer, client_id, client_secret, allow_sign_up, updated_on)',
          `'!lost' || n, '', '', '${lost}', 0, 0`,
        ),
      ),
      env.DB.prepare(
        `INSERT INTO identity_providers (org_id, issuer, client_id, client_secret, allow_sign_up, updated_on) VALUES (?, '', '', ?, 0, 0)`,
      ).bind(org.id, await encryptSecret(env, providerOwner(org.id), 'secret')),
      env.DB.prepare(
        `INSERT INTO endpoints (org_id, name, url, events, include_loads, auth_kind, sealed_secret, base_url, created_on, updated_on)
          VALUES (?, 'shop', '', '[]', 0, 'hmac', ?, '', 0, 0)`,
      ).bind(org.id, await encryptSecret(env, secretOwner(org.id, 'shop'), 'secret')),
    ])
    const next = { ...env, SECRETS_KEY: 'a key of the tests that comes last', SECRETS_KEYS_OLD: env.SECRETS_KEY ?? '' }
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const sealedIn = async (table: string, column: string) =>
      String(await env.DB.prepare(`SELECT ${column} FROM ${table} WHERE org_id = ?`).bind(org.id).first(column))
    const all = async (to: Env) => {
      for (let at = 0; at < 3; at++) await Promise.all([resealEndpoints(to), resealProviders(to)])
    }
    await all(next)
    const found = [await sealedIn('endpoints', 'sealed_secret'), await sealedIn('identity_providers', 'client_secret')]
    const inForce = await sealedNow(next)
    expect(found.map(sealed => sealed.startsWith(inForce))).toEqual([true, true])
    // For the other tests of this runtime.
    await all({ ...env, SECRETS_KEYS_OLD: next.SECRETS_KEY })
    for (const table of ['endpoints', 'identity_providers']) {
      await env.DB.prepare(`DELETE FROM ${table} WHERE org_id GLOB '!lost*'`).run()
    }
    quiet.mockRestore()
  })
})
