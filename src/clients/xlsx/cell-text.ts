// The text of a cell as a CSV file has it: numbers and dates as their values, whatever format the sheet shows them in. Pure.

export type CellValue = string | number | boolean | Date | null | undefined

/** Excel itself computes with so many: behind them a fraction is noise. */
const SIGNIFICANT_DIGITS = 15
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A time of day has the day before the first one that most sheets can hold. */
const FIRST_YEAR = 1900
const DAY_OF_TIMES = Date.UTC(FIRST_YEAR - 1, 11, 31)
const DAY_AFTER_LAST = Date.UTC(10_000, 0, 1)
const ISO_DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d)?(\.\d+)?Z?$/

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

/** A sheet knows no time zone, and neither does the text. */
function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return ''
  const [day = '', time = ''] = isoPartsOf(value)
  return value.getUTCFullYear() < FIRST_YEAR ? time : dayAndTime(day, time)
}

/** Thousandths of a second only where there are any. */
const isoPartsOf = (value: Date) =>
  value
    .toISOString()
    .replace(/(\.000)?Z$/, '')
    .split('T')

/** `2027-02-01`, with a time only where there is one. */
const dayAndTime = (day: string, time: string) => (time === '00:00:00' ? day : `${day}T${time}`)

/** What a cell holds as a text in ISO 8601, in the form that the same day has as a number. */
export function isoText(text: string): string {
  const [, day, minutes, seconds = ':00', fraction = ''] = ISO_DAY_AND_TIME.exec(text) ?? []
  if (day === undefined) return text
  const thousandths = fraction.slice(0, 4).padEnd(4, '0')
  return dayAndTime(day, `${minutes}${seconds}${/[1-9]/.test(thousandths) ? thousandths : ''}`)
}

/** For Excel 1900 was a leap year: its 60th day is one that there never was. */
export function dayOf(days: number, isFrom1904: boolean): Date {
  const first = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  return new Date(first + millisecondsOf(days))
}

/** Of what a sheet counts in days, whatever day it begins with. */
export function timeText(days: number): string {
  return isoPartsOf(new Date(millisecondsOf(days)))[1] ?? ''
}

/** Below them a count of days is noise. */
const millisecondsOf = (days: number) => Math.round(days * DAY_MS)

/** `25:00:00` for what a sheet counts in days and shows in hours; a clock has no such time. */
export function durationText(days: number): string {
  const milliseconds = millisecondsOf(Math.abs(days))
  const hours = Math.floor(milliseconds / HOUR_MS)
  const [, rest = ''] = isoPartsOf(new Date(milliseconds % HOUR_MS))
  const text = `${String(hours).padStart(2, '0')}${rest.slice(2)}`
  return days < 0 && milliseconds > 0 ? `-${text}` : text
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
