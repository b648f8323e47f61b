// Reads cells by propertyType (N30). A reader gets a cell that is not empty: the text of the file, or whatever a
// conditional column made. What it cannot read comes back as Unread.
import { isLostInteger } from '../../../platform/formats/lost-integer.ts'
import { hostileParts, lostNumbers } from '../../../platform/json-safety.ts'
import { hasInvisible, listedAs, quoted, visible } from '../../../platform/nearest.ts'
import { keyFault } from '../../entities/field-text.ts'
import { isWebAddress } from '../../types/web-address.ts'
import type { IssueType } from '../contract.ts'
import type { Property, PropertyType } from './property.ts'

export class Unread {
  readonly issueType: IssueType
  readonly severity: 'error' | 'warning'
  readonly message: string

  constructor(message: string, severity: 'error' | 'warning' = 'error') {
    this.issueType = 'INVALID_DATA'
    this.severity = severity
    this.message = message
  }
}

export type Reader = (value: unknown) => unknown

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T00:00:00(?:\.000)?Z)?$/
const SHOWN_MAX_LENGTH = 60

export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return `"${visible(text.length > SHOWN_MAX_LENGTH ? `${text.slice(0, SHOWN_MAX_LENGTH)}…` : text)}"`
}

/** Step 1: `true` and `false` in any case are booleans. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'string' || value.length < 4 || value.length > 5) return value
  const first = value.charCodeAt(0) | 0x20
  if (first !== 0x74 && first !== 0x66) return value
  const lower = value.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : value
}

export function isEmpty(value: unknown): boolean {
  return value === '' || value === undefined || value === null
}

export function text(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return new Unread(`${shown(value)} is not a text.`)
}

function decimal(value: unknown): unknown {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && DECIMAL.test(value)) {
    if (value.length <= SHORT_DECIMAL_LENGTH || !isLost(value)) return Number(value)
    return new Unread(`${shown(value)} has more digits than a number can keep. Round it, or make the property a text.`)
  }
  return new Unread(`${shown(value)} is not a number such as 12.5.${decimalAdvice(value)}`)
}

/** Decimals of up to this many characters are always kept. */
const SHORT_DECIMAL_LENGTH = 15

/** Whether the number, written out again, is another one than that in the text. */
function isLost(text: string): boolean {
  const number = Math.abs(Number(text))
  if (!Number.isFinite(number)) return true
  const [plain = '', power = '0'] = text.replace(/^[+-]/, '').split(/e/i)
  const [whole = '', fraction = ''] = plain.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return false
  const [mantissa = '', exponent] = number.toExponential().split('e')
  const point = digits.length - fraction.length - 1 + Number(power)
  const isSame =
    digits.replace(/0+$/, '') === mantissa.replace('.', '').replace(/0+$/, '') && point === Number(exponent)
  return !isSame || isLostInteger(text)
}

/** A text of JSON may hold one that is lost: a short one only by its exponent. */
const LONG_NUMBER = /[\d.]{16}|\de/i

const COMMA_DECIMAL = /^[+-]?[\d.]*,\d+$/
const EXPONENT = /^[+-]?[\d.]+e[+-]?\d+$/i
const NEGATIVE = /^(?:\d[\d.]*-|\([\d.]+\))$/
const GROUPED_DECIMAL = /^[+-]?\d{1,3}(?:[,\s']\d{3})+(?:\.\d+)?$/

function decimalAdvice(value: unknown): string {
  if (typeof value !== 'string') return ''
  if (GROUPED_DECIMAL.test(value)) return ' Write it without separators of thousands.'
  if (hasInvisible(value)) return ' Take the invisible character out.'
  if (COMMA_DECIMAL.test(value)) return ' Write the decimals behind a point.'
  if (EXPONENT.test(value)) return ' Write it without an exponent.'
  if (value.includes('_')) return ' Write it without "_".'
  if (NEGATIVE.test(value)) return ' Write "-" before it.'
  return /\d/.test(value) ? ' Write the number alone, without unit or sign of currency.' : ''
}

function boolean(value: unknown): unknown {
  const read = plain(value)
  return typeof read === 'boolean' ? read : new Unread(`${shown(value)} is neither true nor false.`)
}

function date(value: unknown): unknown {
  const match = typeof value === 'string' ? DATE.exec(value) : null
  if (match) {
    const day = `${match[1]}-${match[2]}-${match[3]}`
    const time = Date.parse(`${day}T00:00:00Z`)
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day
  }
  return new Unread(`${shown(value)} is not a date such as 2026-01-31.${dateAdvice(value)}`)
}

const OTHER_ORDER = /^\d{1,2}([./-])\d{1,2}\1\d{2,4}$/
/** From 1954 to 2119. */
const DAYS_OF_EXCEL = /^[2-7]\d{4}$/

function dateAdvice(value: unknown): string {
  const given = typeof value === 'number' ? String(value) : value
  if (typeof given !== 'string') return ''
  if (hasInvisible(given)) return ' Take the invisible character out.'
  if (OTHER_ORDER.test(given)) return ' Write the year, the month and the day, with - between them.'
  return DAYS_OF_EXCEL.test(given) ? ' It may be a day as Excel counts them: format the column as yyyy-mm-dd.' : ''
}

function url(value: unknown): unknown {
  if (typeof value === 'string' && isWebAddress(value)) return value
  return new Unread(`${shown(value)} is not an http or https address.`)
}

function json(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const read: unknown = JSON.parse(value)
    const fault = [...hostileParts(read), ...lostNumbers(value, isLost, LONG_NUMBER)][0]
    return fault
      ? new Unread(`${shown(value)} cannot be kept as JSON: ${fault.path || 'all of it'}: ${fault.message}`)
      : read
  } catch {
    return new Unread(`${shown(value)} is not JSON. A text in JSON stands in double quotes.`)
  }
}

/** A federatedId or identifier. */
export function readKey(value: unknown): unknown {
  const key = text(value)
  const fault = typeof key === 'string' ? keyFault(key) : undefined
  return fault ? new Unread(`${shown(value)} cannot be a key. ${fault}`) : key
}

function listOf(value: unknown): unknown[] | Unread {
  if (Array.isArray(value)) return value
  const whole = text(value)
  if (typeof whole !== 'string') return new Unread(`${shown(value)} is not a list.`)
  return whole
    .split('|')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Its value is taken, too. */
function optionWords({ value, label }: { value: string; label: string }): string {
  return value.toLowerCase() === label.toLowerCase() ? quoted(label) : `${quoted(label)} (${quoted(value)})`
}

function choice({ options, label: name }: Property): Reader {
  if (!options) return text
  const values = new Set(options.map(option => option.value))
  const byLabel = new Map<string, string>()
  for (const { value, label } of options) {
    const key = label.toLowerCase()
    if (!byLabel.has(key)) byLabel.set(key, value)
  }
  const labels = options.length ? listedAs(options, optionWords) : 'none'
  const advice = `is no option of ${name}, which has ${labels}; the cell is left out.`
  return value => {
    const given = text(value)
    if (typeof given !== 'string') return given
    if (values.has(given)) return given
    return byLabel.get(given.toLowerCase()) ?? new Unread(`${shown(given)} ${advice}`, 'warning')
  }
}

function each(readOne: Reader): Reader {
  return value => {
    const list = listOf(value)
    if (list instanceof Unread) return list
    const read = list.map(readOne)
    const fault = read.find(one => one instanceof Unread)
    if (!fault) return [...new Set(read)]
    const isOne = typeof value === 'string' && list.length === 1 && /[,;]/.test(value)
    return isOne ? new Unread(`${fault.message} Several are written with | between them.`, fault.severity) : fault
  }
}

const READERS: Record<PropertyType, (property: Property) => Reader> = {
  string: () => text,
  text: () => text,
  url: () => url,
  number: () => decimal,
  currency: () => decimal,
  percent: () => decimal,
  boolean: () => boolean,
  date: () => date,
  choice,
  multi_select: property => each(choice(property)),
  object_reference: () => text,
  object_ref_list: () => each(text),
  json: () => json,
}

const readers = new WeakMap<Property, Reader>()

/** Once for each property, however many type paths have it: a choice may have many options. */
export function readerFor(property: Property): Reader {
  const known = readers.get(property)
  if (known) return known
  const reader = READERS[property.propertyType](property)
  readers.set(property, reader)
  return reader
}
