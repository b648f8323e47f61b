import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { base64Url, sha256 } from '../../../src/platform/digest.ts'
import { readKey, writeKey } from '../../../src/platform/paging/page-key.ts'

const refused = { code: 'invalid_input', errors: [{ path: '/nextPageKey' }] }

describe('page keys', () => {
  it('N16 give back the position that they were made from, whatever it holds', async () => {
    for (const position of [[], [null, 1], ['Größe "42" 👕', 5], [1.5, 'x']]) {
      expect(await readKey(await writeKey(position, 'list'), 'list', 'nextPageKey')).toEqual(position)
    }
  })

  it('N16 go into a query parameter as they are', async () => {
    expect(await writeKey(['ÿþ👕?&=+/', 2 ** 50], 'list')).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  it('N16 are refused by any other list than their own', async () => {
    const key = await writeKey(['a', 1], 'list of one organization')
    await expect(readKey(key, 'list of another', 'nextPageKey')).rejects.toMatchObject(refused)
  })

  it.each(['', 'x', '====', 'äöü', '0', 'A'.repeat(5000), 'bm90IGEga2V5IGF0IGFsbA'])(
    'N16 are refused when garbled: %s',
    async key => {
      await expect(readKey(key, 'list', 'nextPageKey')).rejects.toMatchObject(refused)
    },
  )

  it('N16 are refused when each single character is changed', async () => {
    const key = await writeKey(['name', 12], 'list')
    for (let at = 0; at < key.length; at++) {
      const other = key.slice(0, at) + (key[at] === 'A' ? 'B' : 'A') + key.slice(at + 1)
      await expect(readKey(other, 'list', 'nextPageKey')).rejects.toMatchObject(refused)
    }
  })

  it('are refused when forged with a right check but a position of another shape', async () => {
    const forge = async (text: string) => {
      const payload = base64Url(new TextEncoder().encode(text))
      return base64Url(await sha256(`list\n${payload}`)).slice(0, 8) + payload
    }
    const shape = z.tuple([z.string(), z.int()])
    await expect(readKey(await forge('["a",1]'), 'list', 'nextPageKey', shape)).resolves.toEqual(['a', 1])
    for (const text of ['not json', '{}', '["a"]', '["a","b"]', '["a",1.5]', '[{},1]', 'null']) {
      await expect(readKey(await forge(text), 'list', 'nextPageKey', shape)).rejects.toMatchObject(refused)
    }
  })
})
