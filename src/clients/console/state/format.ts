// Numbers, dates and sizes in the reader's own language. Pure.
import { numbers } from './number-text.ts'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

export const numberText = numbers.text

/** `12 items`, `1 item`. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${numberText(count)} ${count === 1 ? one : many}`

export const exactTime = (time: string | number) => clock.format(new Date(time))

/** A date without a time is a day everywhere: no time zone moves it. */
export function dayText(text: string): string {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const time = new Date(year, month - 1, date)
  return Number.isNaN(time.getTime()) ? text : day.format(time)
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function timeInWords(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit)
  }
  return relative.format(0, 'second')
}

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  if (Math.round(milliseconds) < 1000) return `${Math.round(Math.max(0, milliseconds))} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  return secondsText(seconds)
}

/** Rounded before it is split: no minute has 60 seconds. */
export function secondsText(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** An object with more of them reads better as JSON. */
const FIELDS_IN_WORDS = 6

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.every(isScalar) ? value.map(String).join(', ') : JSON.stringify(value)
  const fields = Object.entries(value)
  if (fields.length > FIELDS_IN_WORDS || !fields.every(([, each]) => isScalar(each))) return JSON.stringify(value)
  return fields.map(([name, each]) => `${name}: ${plainText(each)}`).join(', ')
}
