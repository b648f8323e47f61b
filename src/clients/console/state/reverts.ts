// Taking a load back (N52), in words.
import { type RevertCounts, RevertError, type RevertProcess } from '../../typescript/index.ts'
import { counted, numberText } from './format.ts'
import { client } from './session.ts'

export const isReverting = ({ status }: RevertProcess) => status === 'pending' || status === 'running'

/** As it ended, however that was. */
export async function endOfRevert(id: string): Promise<RevertProcess> {
  try {
    return await client.reverts.wait({ id })
  } catch (error) {
    if (error instanceof RevertError) return error.process
    throw error
  }
}

function totalsOf({ results }: RevertProcess): RevertCounts {
  const sum = { deleted: 0, restored: 0, updated: 0, unchanged: 0, kept: 0 }
  for (const counts of Object.values(results)) {
    for (const name of Object.keys(sum) as (keyof RevertCounts)[]) sum[name] += counts[name]
  }
  return sum
}

export function revertWords(process: RevertProcess): string {
  const { deleted, updated, restored, kept } = totalsOf(process)
  return `${counted(deleted, 'entity', 'entities')} deleted, ${numberText(updated)} with their old values, ${numberText(restored)} brought back, ${numberText(kept)} left alone.`
}
