// N13: what a local start leaves behind, and that a second one changes nothing.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../src/clients/typescript/index.ts'
import { seedDemo } from '../../../src/scripts/demo/seed.ts'
import { read, root } from '../../markdown.ts'
import type { Service } from './start.ts'

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
      expect(await seedDemo(key.baseUrl, operator.operatorKey, known)).toEqual(known)
      expect(await seeded()).toEqual(before)
    })
  })
}
