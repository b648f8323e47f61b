import { describe, expect, it } from 'vitest'
import { readAhead } from '../../../src/platform/read-ahead.ts'

function counted(upTo: number, fault?: Error) {
  const seen: (number | 'closed')[] = []
  async function* source() {
    try {
      for (let n = 1; n <= upTo; n++) {
        seen.push(n)
        yield n
      }
      if (fault) throw fault
    } finally {
      seen.push('closed')
    }
  }
  return { seen, source: source() }
}

describe('reading ahead', () => {
  it('hands on everything in its order, and has asked for the next by then', async () => {
    const { seen, source } = counted(3)
    const asked: number[] = []
    for await (const n of readAhead(source)) {
      await Promise.resolve()
      asked.push(n, seen.length)
    }
    expect(asked).toEqual([1, 2, 2, 3, 3, 4])
    expect(seen).toEqual([1, 2, 3, 'closed'])
  })

  it('closes what it reads from when nobody wants more', async () => {
    const { seen, source } = counted(9)
    for await (const n of readAhead(source)) if (n === 2) break
    expect(seen).toEqual([1, 2, 3, 'closed'])
  })

  it('fails where the source does, after what came before', async () => {
    const { source } = counted(2, new Error('gone'))
    const read: number[] = []
    const all = async () => {
      for await (const n of readAhead(source)) read.push(n)
    }
    await expect(all()).rejects.toThrow('gone')
    expect(read).toEqual([1, 2])
  })

  it('a fault behind what nobody wants is nobody’s', async () => {
    const { source } = counted(1, new Error('gone'))
    for await (const n of readAhead(source)) if (n === 1) break
  })
})
