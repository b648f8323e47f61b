// What was measured, against what was asked for.
import { writeFileSync } from 'node:fs'

export interface Check {
  name: string
  ratio: number
  target: number
  /** Else at most. */
  isAtLeast: boolean
  note?: string
}

export function passes({ ratio, target, isAtLeast }: Check): boolean {
  return isAtLeast ? ratio >= target : ratio <= target
}

export function printReport(checks: readonly Check[]): void {
  const rows = checks.map(check => [
    passes(check) ? 'ok' : 'MISSED',
    check.name,
    check.ratio.toFixed(2),
    `${check.isAtLeast ? '≥' : '≤'} ${check.target}`,
    check.note ?? '',
  ])
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

export function writeReport(file: string, checks: readonly Check[]): void {
  const entries = checks.map(check => ({
    name: check.name,
    ratio: check.ratio,
    target: check.target,
    pass: passes(check),
  }))
  writeFileSync(file, `${JSON.stringify({ checks: entries }, null, 2)}\n`)
}
