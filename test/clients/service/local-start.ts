// N13: what a local start leaves behind, and that a second one changes nothing.
import { mkdtempSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../src/clients/typescript/index.ts'
import { type Demo, DemoMemory } from '../../../src/scripts/demo/memory.ts'
import { seedDemo } from '../../../src/scripts/demo/seed.ts'
import { read, root } from '../../markdown.ts'
import type { Service } from './start.ts'

const FORM_BYTES = 10.5 * 1024 * 1024

/** Sends the first part of a body that was said to be longer, and hangs up. */
function breakOff(url: URL, headers: Record<string, string>): Promise<void> {
  return new Promise(resolve => {
    const request = http.request(url.href, { method: 'POST', headers: { ...headers, 'Content-Length': FORM_BYTES } })
    request.on('error', () => resolve())
    request.write(new Uint8Array(1024), () => request.destroy(new Error('hung up')))
  })
}

function remembering(known: Demo): DemoMemory {
  const memory = new DemoMemory(path.join(mkdtempSync(path.join(tmpdir(), 'selvedge-demo-')), 'demo.json'))
  memory.remember(known)
  return memory
}

export function localStart(started: () => Service): void {
  describe('N13 a local start', () => {
    it('keeps random secrets in a file that only its owner can read', async () => {
      const secrets = read('.dev.vars')
      for (const name of ['OPERATOR_KEY', 'SECRETS_KEY']) {
        expect(new RegExp(`^${name}=[\\w-]{43}$`, 'm').test(secrets), name).toBe(true)
      }
      expect((await stat(path.join(root, '.dev.vars'))).mode & 0o077).toBe(0)
    })

    it('seeds a few items, and a second start finds everything as it is', async () => {
      const { key, admin, operator } = started()
      const client = connect(key)
      const seeded = async () => {
        const criteria = { federatedId: ['TJ-100', 'CT-200', 'MC-300'] }
        return (await client.entities.list({ entityName: 'item', queryParams: { criteria } })).results
      }
      const before = await seeded()
      expect(before).toHaveLength(3)
      const known = { apiKey: key.apiKey, email: admin.email, password: admin.password }
      expect(await seedDemo(key.baseUrl, operator.operatorKey, remembering(known))).toEqual(known)
      expect(await seeded()).toEqual(before)
    })

    it('gets a new key where the old one was revoked, and keeps what was edited', async () => {
      const { key, admin, operator } = started()
      const client = connect(key)
      const criteria = { federatedId: 'MC-300' }
      const [item] = (await client.entities.list({ entityName: 'item', queryParams: { criteria } })).results
      const id = item?.id ?? ''
      await client.entities.update({ entityName: 'item', id, object: { name: 'Edited by hand' } })
      const known = { apiKey: 'app:revoked', email: admin.email, password: admin.password }
      const demo = await seedDemo(key.baseUrl, operator.operatorKey, remembering(known))
      expect(demo.password).toBe(admin.password)
      const again = connect({ ...key, apiKey: demo.apiKey })
      expect(await again.entities.get({ entityName: 'item', id })).toMatchObject({ name: 'Edited by hand' })
      await client.entities.update({ entityName: 'item', id, object: { name: item?.name } })
    })

    it('lives on when a body is refused while it is being sent, or breaks off', async () => {
      const { key } = started()
      const headers = { 'X-Api-Key': key.apiKey, 'X-Api-Org': key.orgSlug }
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(FORM_BYTES)]), 'large.bin')
      const refusals = await Promise.allSettled([
        fetch(`${key.baseUrl}/files`, { method: 'POST', headers, body: form }),
        fetch(`${key.baseUrl}/items`, { method: 'POST', headers, body: new Uint8Array(FORM_BYTES) }),
        fetch(`${key.baseUrl}/trigger-webhooks/nobody`, { method: 'POST', body: new Uint8Array(FORM_BYTES) }),
      ])
      for (const refusal of refusals) {
        // The refusal may end the connection before all is sent; an answer that does come is one that names the fault.
        if (refusal.status === 'fulfilled') expect([400, 404, 413, 415]).toContain(refusal.value.status)
      }
      await breakOff(new URL(`${key.baseUrl}/files?fileName=cut.bin`), headers)
      const health = await fetch(new URL('/health', key.baseUrl))
      expect(health.status).toBe(200)
    })
  })
}
