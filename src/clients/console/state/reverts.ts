// Taking a load back (N52), in words.
import { type RevertCounts, RevertError, type RevertProcess } from '../../typescript/index.ts'
import { counted, numberText } from './format.ts'
import { client } from './session.ts'

export const isReverting = ({ status }: RevertProcess) => status === 'pending' || status === 'running'

/** What taking a load back would do, as it ended, however that was. Nobody waits for it after `signal`: it is cancelled. */
export async function lookAhead(
  loadId: string,
  signal: AbortSignal,
  onProgress: (process: RevertProcess) => void,
): Promise<RevertProcess> {
  const { id } = await client.reverts.startForLoad({ id: loadId, dryRun: true })
  try {
    signal.throwIfAborted()
    return await client.reverts.wait({ id, signal, onProgress })
  } catch (error) {
    if (error instanceof RevertError) return error.process
    // It may be over by now.
    if (signal.aborted) await client.reverts.cancel({ id }).catch(() => undefined)
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

export function revertPlan(process: RevertProcess): string {
  const { deleted, updated, restored, kept } = totalsOf(process)
  return `${counted(deleted, 'entity', 'entities')} will be deleted, ${numberText(updated)} will have the old values again, ${numberText(restored)} will be brought back, ${numberText(kept)} will be left alone.`
}

export function revertWords(process: RevertProcess): string {
  const { deleted, updated, restored, kept } = totalsOf(process)
  return `${counted(deleted, 'entity', 'entities')} deleted, ${numberText(updated)} with their old values, ${numberText(restored)} brought back, ${numberText(kept)} left alone.`
}
