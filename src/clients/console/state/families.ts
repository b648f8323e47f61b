// Options under their family, where both are there; everything else in the order in which it came. Pure.
import type { Entity } from '../../typescript/index.ts'

/** Each row once, where it comes first. */
export function arranged(all: readonly Entity[]): Entity[] {
  const rows = [...new Map(all.map(row => [row.id, row])).values()]
  const ids = new Set(rows.map(({ id }) => id))
  const options = new Map<string, Entity[]>()
  const first: Entity[] = []
  for (const row of rows) {
    const family = row.itemFamilyId
    if (typeof family !== 'string' || family === row.id || !ids.has(family)) first.push(row)
    else options.set(family, [...(options.get(family) ?? []), row])
  }
  return first.flatMap(row => [row, ...(options.get(row.id) ?? [])])
}
