import { describe, expect, it } from 'vitest'
import { openHeader, ranges, type Source } from '../../../src/features/loads/csv/source.ts'
import { MB } from '../../../src/platform/limits.ts'

type Asked = { offset: number; length: number }

/** A bucket of one file, which like R2 refuses a range of nothing. */
function sourceOf(bytes: Uint8Array): { source: Source; asked: Asked[] } {
  const asked: Asked[] = []
  const bucket = {
    get: async (key: string, { range }: { range: Asked }) => {
      if (key !== 'file') return null
      if (range.length <= 0) throw new Error('The requested range is not satisfiable')
      asked.push(range)
      return new Response(bytes.slice(range.offset, range.offset + range.length))
    },
  } as unknown as R2Bucket
  return { source: { bucket, key: 'file', size: bytes.length, bounds: { chunkBytes: MB, chunkMaxRows: 1e9 } }, asked }
}

/** A header of eight bytes and rows of eight bytes. */
const csvOf = (length: number) => new TextEncoder().encode(`abcdefg\n${'1234567\n'.repeat(length / 8 - 1)}`)

async function readAll(source: Source) {
  const { place, header } = await openHeader(source)
  const state = {
    dialect: place.dialect,
    names: header.names,
    line: place.line,
    end: place.end,
    nextLine: place.nextLine,
  }
  const found = []
  for await (const range of ranges(source, state, { start: place.end, line: place.nextLine })) found.push(range)
  return found
}

describe('the file of a load', () => {
  it.each([8 * MB, 8 * MB + 8, 8 * MB + 16, 16 * MB + 8])(
    'of %i bytes is read to its end, once, window by window',
    async size => {
      const { source, asked } = sourceOf(csvOf(size))
      const found = await readAll(source)
      expect(found.reduce((sum, { ends }) => sum + ends.length, 0)).toBe(size / 8 - 1)
      expect(found.every(({ bytes }) => bytes.length <= MB + 8)).toBe(true)
      const windows = asked.slice(1)
      expect(windows.reduce((sum, { length }) => sum + length, 0)).toBe(size - 8)
      expect(Math.max(...windows.map(({ length }) => length))).toBeLessThanOrEqual(8 * MB)
    },
  )

  it('without rows has none, and one whose content is gone says so', async () => {
    const { source, asked } = sourceOf(csvOf(8))
    expect(await readAll(source)).toEqual([])
    expect(asked).toHaveLength(1)
    await expect(readAll({ ...source, key: 'other' })).rejects.toThrow('The content of the file is gone.')
    await expect(readAll(sourceOf(new Uint8Array()).source)).rejects.toThrow('The file is empty.')
  })
})
