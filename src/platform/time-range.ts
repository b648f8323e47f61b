// `BETWEEN a and b` (N24): dates are whole UTC days, times are exact, both ends belong to the range. Pure.

const BETWEEN = /^BETWEEN\s/i
const AND = /\sand\s/i
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/
const DAY_MS = 86_400_000

export type Between = { range: [number, number] | [string, string] } | { fault: string }

/** How the ends are read: as times, as text, or as numbers where both are. */
type Ends = 'time' | 'text' | 'value'

/** Undefined where the text is not a range at all. */
export function parseBetween(text: string, ends: 'time'): { range: [number, number] } | { fault: string } | undefined
export function parseBetween(text: string, ends: Ends): Between | undefined
export function parseBetween(text: string, ends: Ends): Between | undefined {
  const parts = endsOf(text)
  if (!parts) return undefined
  const [from, to] = parts
  if (ends !== 'time') return valueRange(from, to, ends)
  const start = parseTime(from)
  const end = parseTime(to)
  if (!start) return { fault: `"${from}" is not a date (YYYY-MM-DD) or a time (ISO 8601).` }
  if (!end) return { fault: `"${to}" is not a date (YYYY-MM-DD) or a time (ISO 8601).` }
  if (start.first > end.last) return { fault: 'The start of the range is after its end.' }
  return { range: [start.first, end.last] }
}

/** Searched for step by step: one pattern for all of it takes a time that grows with the square of the text. */
function endsOf(text: string): [from: string, to: string] | undefined {
  const trimmed = text.trim()
  if (!BETWEEN.test(trimmed)) return undefined
  const rest = trimmed.slice('BETWEEN'.length)
  const at = rest.search(AND)
  if (at < 0) return undefined
  const from = rest.slice(0, at).trim()
  const to = rest.slice(at + ' and '.length).trim()
  return from && to ? [from, to] : undefined
}

function valueRange(from: string, to: string, ends: 'text' | 'value'): Between {
  const areNumbers = ends === 'value' && isNumber(from) && isNumber(to)
  const range: [number, number] | [string, string] = areNumbers ? [Number(from), Number(to)] : [from, to]
  return range[0] > range[1] ? { fault: 'The start of the range is after its end.' } : { range }
}

const isNumber = (text: string) => NUMBER.test(text) && Number.isFinite(Number(text))

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
