// Taking a load back (N52): a process of its own, looked at like a load.
import type { CommonFields } from '../../typescript/index.ts'
import { counted, numberText } from './format.ts'
import { client } from './session.ts'

export interface RevertCounts {
  deleted: number
  restored: number
  updated: number
  unchanged: number
  kept: number
}

export interface RevertProcess extends CommonFields {
  loaderProcessId?: string
  dryRun: boolean
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'
  failure?: string
  progress: { phase: string; changesDone: number; percent: number }
  results: Record<string, RevertCounts>
  issueCount: number
  issues: { entityReference: string; property: string | null; reason: string; message: string }[]
  issuesFileId?: string
}

const LOOK_MS = 400

export const startRevert = (loadId: string, dryRun: boolean) =>
  client.request<RevertProcess>({
    method: 'POST',
    path: `/loader-processes/${encodeURIComponent(loadId)}/revert`,
    json: { dryRun },
  })

export const getRevert = (id: string, signal?: AbortSignal) =>
  client.request<RevertProcess>({ method: 'GET', path: `/revert-processes/${encodeURIComponent(id)}`, signal })

export const isReverting = ({ status }: RevertProcess) => status === 'pending' || status === 'running'

export async function endOfRevert(id: string): Promise<RevertProcess> {
  for (;;) {
    const process = await getRevert(id)
    if (!isReverting(process)) return process
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

export function revertTotals({ results }: RevertProcess): RevertCounts {
  const sum = { deleted: 0, restored: 0, updated: 0, unchanged: 0, kept: 0 }
  for (const counts of Object.values(results)) {
    for (const name of Object.keys(sum) as (keyof RevertCounts)[]) sum[name] += counts[name]
  }
  return sum
}

export function revertWords(process: RevertProcess): string {
  const { deleted, updated, restored, kept } = revertTotals(process)
  return `${counted(deleted, 'entity', 'entities')} deleted, ${numberText(updated)} with their old values, ${numberText(restored)} brought back, ${numberText(kept)} left alone.`
}
