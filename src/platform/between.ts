// `BETWEEN a and b` (N24): dates are whole UTC days, times are exact, both ends belong to the range. Pure.

const BETWEEN = /^\s*BETWEEN\s+(\S.*?)\s+and\s+(\S.*?)\s*$/is
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/
const DAY_MS = 86_400_000

export type Between = { range: [number, number] | [string, string] } | { fault: string }

/** Undefined where the text is not a range at all. */
export function parseBetween(text: string, ends: 'time'): { range: [number, number] } | { fault: string } | undefined
export function parseBetween(text: string, ends: 'time' | 'value'): Between | undefined
export function parseBetween(text: string, ends: 'time' | 'value'): Between | undefined {
  const match = BETWEEN.exec(text)
  if (!match) return undefined
  const [, from = '', to = ''] = match
  if (ends === 'value') return valueRange(from, to)
  const start = parseTime(from)
  const end = parseTime(to)
  if (!start) return { fault: `"${from}" is not a date (YYYY-MM-DD) or a time (ISO 8601).` }
  if (!end) return { fault: `"${to}" is not a date (YYYY-MM-DD) or a time (ISO 8601).` }
  if (start.first > end.last) return { fault: 'The start of the range is after its end.' }
  return { range: [start.first, end.last] }
}

function valueRange(from: string, to: string): Between {
  const numbers = [Number(from), Number(to)] as const
  const range: [number, number] | [string, string] = numbers.some(Number.isNaN) ? [from, to] : [numbers[0], numbers[1]]
  return range[0] > range[1] ? { fault: 'The start of the range is after its end.' } : { range }
}

/** The first and the last millisecond that a date or a time stands for. */
export function parseTime(text: string): { first: number; last: number } | undefined {
  const date = DATE.exec(text)
  if (date) {
    const first = Date.parse(`${text}T00:00:00.000Z`)
    const exists = !Number.isNaN(first) && new Date(first).toISOString().startsWith(text)
    return exists ? { first, last: first + DAY_MS - 1 } : undefined
  }
  if (!TIME.test(text) || !parseTime(text.slice(0, 10))) return undefined
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`
  const first = Date.parse(zoned)
  return Number.isNaN(first) ? undefined : { first, last: first }
}
