// The text of a cell as a CSV file has it: numbers and dates as their values, whatever format the sheet shows them in. Pure.

export type CellValue = string | number | boolean | Date | null | undefined

/** Excel itself computes with so many: behind them a fraction is noise. */
const SIGNIFICANT_DIGITS = 15
const DAY_MS = 86_400_000
/** A time of day has the day before the first one that most sheets can hold. */
const FIRST_YEAR = 1900
const DAY_OF_TIMES = Date.UTC(FIRST_YEAR - 1, 11, 31)
const DAY_AFTER_LAST = Date.UTC(10_000, 0, 1)

/** More digits than can be kept: another number would be loaded. */
export function isInexact(value: CellValue): value is number {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false
  if (!Number.isInteger(value)) return !Number.isFinite(value)
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)) !== value
}

/** Excel has no such day, and what else writes one does not count it as the library does. */
export function isNoDay(value: CellValue): value is Date {
  return value instanceof Date && !(value.getTime() >= DAY_OF_TIMES && value.getTime() < DAY_AFTER_LAST)
}

export function cellText(value: CellValue): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return dateText(value)
  return typeof value === 'number' ? numberText(value) : String(value)
}

/** Plain decimals: a CSV file has no `1e+21`. */
function numberText(value: number): string {
  const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS))
  const text = String(rounded)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent = ''] = Math.abs(rounded).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const zeros = Number(exponent)
  const plain = zeros < 0 ? `0.${'0'.repeat(-zeros - 1)}${digits}` : digits.padEnd(zeros + 1, '0')
  return rounded < 0 ? `-${plain}` : plain
}

/** `2027-02-01`, with a time only where there is one; a sheet knows no time zone, and neither does the text. */
function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return ''
  const toSecond = new Date(Math.round(value.getTime() / 1000) * 1000)
  const [day = '', time = ''] = toSecond.toISOString().slice(0, 19).split('T')
  if (toSecond.getUTCFullYear() < FIRST_YEAR) return time
  return toSecond.getTime() % DAY_MS === 0 ? day : `${day}T${time}`
}

/** For Excel 1900 was a leap year: its 60th day is one that there never was. */
export function dayOf(days: number, isFrom1904: boolean): Date {
  const first = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  return new Date(first + days * DAY_MS)
}

/** Of what a sheet counts in days, whatever day it begins with. */
export function timeText(days: number): string {
  return new Date(Math.round((days * DAY_MS) / 1000) * 1000).toISOString().slice(11, 19)
}

/** `25:00:00` for what a sheet counts in days and shows in hours; a clock has no such time. */
export function durationText(days: number): string {
  const seconds = Math.round((Math.abs(days) * DAY_MS) / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = parts.map(part => String(part).padStart(2, '0')).join(':')
  return days < 0 && seconds > 0 ? `-${text}` : text
}

/** A cell of a CSV line, in quotes where it needs them: the service looks for the delimiter in the first line. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** `C7` for the third column of the seventh row, both counted from 0. */
export function cellAddress(column: number, row: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return `${letters}${row + 1}`
}
