import { SWEEP_MAX_MS } from './limits.ts'

/** Page after page until one is short, for as long as there is time; the next sweep goes on from there. */
export async function inPages<T>(
  size: number,
  read: (limit: number) => Promise<T[]>,
  take: (rows: T[]) => Promise<void>,
): Promise<void> {
  const until = Date.now() + SWEEP_MAX_MS
  let rows: T[]
  do {
    rows = await read(size)
    await take(rows)
  } while (rows.length >= size && Date.now() < until)
}
