// What a load did, in numbers. Pure.
import type { LoadCounts, LoadProcess } from '../../typescript/index.ts'

export function totalsOf({ results }: Pick<LoadProcess, 'results'>): LoadCounts {
  const sum = { created: 0, updated: 0, unchanged: 0, removed: 0 }
  for (const counts of Object.values(results ?? {})) {
    sum.created += counts.created
    sum.updated += counts.updated
    sum.unchanged += counts.unchanged
    sum.removed += counts.removed
  }
  return sum
}

export const isRunning = ({ status }: Pick<LoadProcess, 'status'>) => status === 'pending' || status === 'running'
