// A limit as the guide writes it: the unit is in the constant's name.

const KB = 1024
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const counted = (count: number, unit: string) => `${count.toLocaleString('en')} ${unit}`

function bytesText(bytes: number): string {
  if (bytes % (KB * KB * KB) === 0) return counted(bytes / (KB * KB * KB), 'GB')
  return bytes % (KB * KB) === 0 ? counted(bytes / (KB * KB), 'MB') : counted(bytes / KB, 'KB')
}

function timeText(ms: number): string {
  if (ms % DAY_MS === 0) return counted(ms / DAY_MS, ms === DAY_MS ? 'day' : 'days')
  if (ms % HOUR_MS === 0) return counted(ms / HOUR_MS, 'h')
  return ms % MINUTE_MS === 0 ? counted(ms / MINUTE_MS, 'min') : counted(ms / SECOND_MS, 's')
}

export function limitText(name: string, value: number): string {
  if (name.endsWith('_BYTES')) return bytesText(value)
  if (name.endsWith('_MS')) return timeText(value)
  if (name.endsWith('_SECONDS')) return timeText(value * SECOND_MS)
  if (name.endsWith('_DAYS')) return timeText(value * DAY_MS)
  return value.toLocaleString('en')
}

/** All numbers that the modules export, objects of them by `NAME.key`. */
export function limitsIn(...modules: Record<string, unknown>[]): Map<string, number> {
  const entries = modules
    .flatMap(Object.entries)
    .flatMap(([name, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
        : [[name, value]],
    )
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}
