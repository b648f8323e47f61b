import { describe, expect, it } from 'vitest'
import { KINDS } from '../../../src/kinds.ts'
import { newOrg, recordsOf } from '../api.ts'

describe('If-Match', () => {
  it('N15 lets the named version through and refuses a stale one with 412, on PUT and DELETE', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    const put = (match: string, name: string) =>
      org.call('PUT', `/items/${id}`, { body: { name }, headers: { 'If-Match': match } })
    expect((await put('"1"', 'b')).status).toBe(200)
    const stale = await put('"1"', 'c')
    expect(stale).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    expect((await put('"7", "2"', 'd')).status).toBe(200)
    // Whoever compresses an answer on its way makes its tag weak.
    expect((await put('W/"3"', 'D')).status).toBe(200)
    expect((await put('*', 'e')).body.version).toBe(5)
    for (const match of ['w/"5"', 'W/5', 'W/"4"', '"x"', 'garbage', '""', '5', '"5', `"${'9'.repeat(400)}"`]) {
      expect((await put(match, 'f')).status, match).toBe(412)
    }
    expect((await org.get(`/items/${id}`)).body).toMatchObject({ name: 'e', version: 5 })
    expect(await recordsOf(id)).toHaveLength(5)
    const remove = (match: string) => org.call('DELETE', `/items/${id}`, { headers: { 'If-Match': match } })
    expect((await remove('W/"4"')).status).toBe(412)
    expect((await remove('W/"5"')).status).toBe(204)
    expect((await remove('"5"')).status).toBe(404)
  })

  it('N15 has one winner of many simultaneous updates of one version', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        org.call('PUT', `/items/${id}`, { body: { name: `n${at}` }, headers: { 'If-Match': '"1"' } }),
      ),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(9).fill(412)])
    expect(await recordsOf(id)).toHaveLength(2)
  })

  it.each(KINDS.filter(kind => kind.operations.includes('delete')).map(kind => kind.path))(
    'N15 on a missing entity of %s is 404, with every check of the type in one statement',
    async path => {
      const org = await newOrg()
      const headers = { 'If-Match': '"1"' }
      const missing = `/${path}/AAAAAAAAAAAAAAAA`
      const body = { federatedId: 'F', identifier: 'I', name: 'n' }
      expect((await org.call('PUT', missing, { body, headers })).status).toBe(404)
      expect((await org.call('DELETE', missing, { headers })).status).toBe(404)
    },
  )

  it('N15 on an update with every kind of fault at once still answers', async () => {
    const org = await newOrg()
    const [item, assortment] = [await org.make('/items'), await org.make('/assortments')]
    const pair = { itemId: item.id, assortmentId: assortment.id }
    await org.make('/assortment-items', { ...pair, federatedId: 'F', identifier: 'I' })
    const other = await org.make('/items')
    const { id } = await org.make('/assortment-items', { ...pair, itemId: other.id })
    const body = { ...pair, projectItemId: 'nowhere', federatedId: 'F', identifier: 'I' }
    const path = `/assortment-items/${id}`
    expect((await org.call('PUT', path, { body, headers: { 'If-Match': '"9"' } })).status).toBe(412)
    expect((await org.put(path, body)).body).toMatchObject({ code: 'invalid_input' })
    expect((await org.put(path, { ...body, projectItemId: null })).body).toMatchObject({ code: 'duplicate' })
  })
})

describe('If-None-Match', () => {
  it('N15 gives 304 without a body for the version that the caller has', async () => {
    const org = await newOrg()
    const { id } = await org.make('/items', { name: 'a' })
    const get = (tag: string) => org.call('GET', `/items/${id}`, { headers: { 'If-None-Match': tag } })
    for (const tag of ['"1"', 'W/"1"', '"9", "1"', '*']) {
      const answer = await get(tag)
      expect([answer.status, answer.body, answer.headers.get('ETag')]).toEqual([304, '', '"1"'])
    }
    for (const tag of ['"2"', '1', '""', 'garbage']) expect((await get(tag)).status).toBe(200)
    await org.put(`/items/${id}`, { name: 'b' })
    expect((await get('"1"')).status).toBe(200)
  })
})
