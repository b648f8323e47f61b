import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { inPages } from '../../../src/platform/in-pages.ts'
import { SWEEP_MAX_MS } from '../../../src/platform/limits.ts'

async function pagesOf(rows: number, tookMs = 0): Promise<number[]> {
  let [left, time] = [rows, 0]
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => time)
  onTestFinished(() => clock.mockRestore())
  const pages: number[] = []
  await inPages(
    2,
    async limit => Array.from({ length: Math.min(limit, left) }, () => 'row'),
    async page => {
      pages.push(page.length)
      left -= page.length
      time += tookMs
    },
  )
  return pages
}

describe('what is read in pages', () => {
  it('is read until a page is short', async () => {
    expect(await pagesOf(5)).toEqual([2, 2, 1])
    expect(await pagesOf(4)).toEqual([2, 2, 0])
  })

  it('is left for the next time where it takes too long', async () => {
    expect(await pagesOf(9, SWEEP_MAX_MS - 1)).toEqual([2, 2])
    expect(await pagesOf(9, SWEEP_MAX_MS)).toEqual([2])
  })
})
