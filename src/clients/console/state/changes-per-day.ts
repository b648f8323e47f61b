// How many changes each of the last days had, as far as the newest of them tell. Pure.

export interface Day {
  day: string
  /** Undefined: before the oldest that was read, where nobody has counted. */
  count: number | undefined
  /** More than were read. */
  isMore: boolean
}

const DAY_MS = 86_400_000

export const lastDays = (now: number, days: number): string[] =>
  Array.from({ length: days }, (_, at) => new Date(now - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10))

/** `times` are the newest, newest first; `isAll` where there are no others. */
export function changesPerDay(days: readonly string[], times: readonly string[], isAll: boolean): Day[] {
  const byDay = new Map<string, number>()
  for (const time of times) byDay.set(time.slice(0, 10), (byDay.get(time.slice(0, 10)) ?? 0) + 1)
  const oldest = isAll ? '' : (times.at(-1)?.slice(0, 10) ?? '')
  return days.map(day => ({ day, count: day < oldest ? undefined : (byDay.get(day) ?? 0), isMore: day === oldest }))
}
