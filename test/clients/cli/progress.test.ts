import { describe, expect, it } from 'vitest'
import { amountOf, durationOf, ProgressView } from '../../../src/clients/cli/progress.ts'

describe('the progress bar', () => {
  it('tells share, counts, rate and time left', () => {
    const view = new ProgressView(120)
    const rows = { label: 'Writing', total: 50_000, unit: 'rows' } as const
    expect(view.line({ ...rows, done: 0 }, 0)).toBe(`Writing     [${'░'.repeat(24)}]    0%  0 of 50,000 rows`)
    expect(view.line({ ...rows, done: 25_000 }, 2000)).toBe(
      `Writing     [${'█'.repeat(12)}${'░'.repeat(12)}]   50%  25,000 of 50,000 rows  12,500 rows/s  2 s left`,
    )
    expect(view.line({ ...rows, done: 50_000 }, 4000)).toContain('100%')
    expect(view.line({ ...rows, done: 50_000 }, 4000)).not.toContain('left')
  })

  it('follows the rate of the last seconds and begins anew with each phase', () => {
    const view = new ProgressView(120)
    const rows = { label: 'Writing', total: 100_000, unit: 'rows' } as const
    view.line({ ...rows, done: 0 }, 0)
    view.line({ ...rows, done: 50_000 }, 5_000)
    view.line({ ...rows, done: 50_000 }, 16_000)
    expect(view.line({ ...rows, done: 50_100 }, 17_000)).toContain('100 rows/s')
    expect(view.line({ ...rows, label: 'Publishing', done: 10 }, 17_100)).not.toContain('rows/s')
  })

  it('takes the share of the whole where it is told, and counts what the phase does', () => {
    const view = new ProgressView(120)
    view.line({ label: 'Validating', done: 0, total: undefined, unit: 'rows', share: 0 }, 0)
    const line = view.line({ label: 'Writing', done: 0, total: 500, unit: 'rows', share: 0.4 }, 4000)
    expect(line).toMatch(/ 40% {2}0 of 500 rows {2}6 s left$/)
  })

  it('N74 shows the rate and the time left that the service itself has measured', () => {
    const rows = { label: 'Writing', total: 500, unit: 'rows', share: 0.5, perSecond: 40, secondsLeft: 7 } as const
    expect(new ProgressView(120).line({ ...rows, done: 250 }, 0)).toMatch(/250 of 500 rows {2}40 rows\/s {2}7 s left$/)
  })

  it('fits a narrow screen', () => {
    const view = new ProgressView(88)
    const rows = { label: 'Writing', total: 5_000_000, unit: 'rows' } as const
    view.line({ ...rows, done: 0 }, 0)
    expect(view.line({ ...rows, done: 1_234_567 }, 9_000).length).toBeLessThanOrEqual(88)
  })

  it('does without a bar while the total is unknown', () => {
    expect(new ProgressView(120).line({ label: 'Reading', done: 12, total: undefined, unit: 'rows' }, 0)).toBe(
      'Reading     12 rows',
    )
  })

  it('writes amounts and durations for people', () => {
    expect(amountOf(3 * 1024 * 1024, 'bytes')).toBe('3.0 MiB')
    expect(amountOf(512, 'bytes')).toBe('512 B')
    expect(amountOf(1536, 'bytes')).toBe('1.5 KiB')
    expect([1.2, 61, 3661].map(durationOf)).toEqual(['2 s', '1 min 1 s', '1 h 1 min'])
  })
})
