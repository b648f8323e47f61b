// What one request may commit, and how often.
import { describe, expect, it } from 'vitest'
import { kindNamed } from '../../../src/kinds.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, newOrg } from '../api.ts'

describe('a commit', () => {
  it('N18 takes the key of the request once: what the same request commits later is written', async () => {
    const org = await newOrg()
    const idempotency = { credentialId: newId(), key: 'once', digest: 'd' }
    const scope = {
      db: databaseFor(env, org.id),
      org,
      actor: { id: 'x', type: 'app' as const },
      now: Date.now(),
      idempotency,
    }
    const create = (name: string) =>
      commit(scope, [{ op: 'create', kind: kindNamed('item'), id: newId(), data: { typePath: 'item', name } }])
    await create('first')
    const { rows } = await create('second')
    expect(rows).toMatchObject([{ kind: 'item' }])
    expect((await org.get('/items')).body.results?.map(({ name }) => name)).toEqual(['first', 'second'])
  })

  it('N23 records the delete of what is recorded, and of nothing else', async () => {
    const org = await newOrg()
    const file = await org.make('/files', { fileName: 'a.txt', contentType: 'text/plain' })
    const item = await org.make('/items')
    expect([(await org.delete(`/files/${file.id}`)).status, (await org.delete(`/items/${item.id}`)).status]).toEqual([
      204, 204,
    ])
    const { results } = (await org.get('/change-history', { order: { orderField: 'createdOn', order: 'asc' } })).body
    expect(results?.map(({ entityType, changeType }) => [entityType, changeType])).toEqual([
      ['item', 'create'],
      ['item', 'delete'],
    ])
  })
})
