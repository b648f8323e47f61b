// How a revert is watched and told: its counts, and what was left alone.

import type { Command } from 'commander'
import { RevertError, type RevertProcess } from '../typescript/index.ts'
import { type Cli, PATIENT_RETRIES } from './cli.ts'
import { Failure } from './failure.ts'
import { Progress } from './progress.ts'
import type { Output } from './terminal.ts'

const ISSUES_SHOWN = 20

const countColumns = [
  { key: 'entity' },
  { key: 'deleted', align: 'right' },
  { key: 'restored', align: 'right' },
  { key: 'updated', align: 'right' },
  { key: 'unchanged', align: 'right' },
  { key: 'kept', title: 'left alone', align: 'right' },
] as const

const issueColumns = [
  { key: 'entityReference', title: 'entity' },
  { key: 'property' },
  { key: 'message', title: 'why it was left alone', isWrapped: true },
] as const

interface Watching {
  /** For a person who is asked next: nothing of it goes to stdout. */
  isPreview?: boolean
}

export async function watchRevert(
  cli: Cli,
  command: Command,
  id: string,
  { isPreview = false }: Watching = {},
): Promise<void> {
  const client = await cli.client(command)
  const output = cli.output(command)
  const progress = new Progress(cli.world, output.json)
  try {
    const options = { signal: cli.world.signal, maxRetries: PATIENT_RETRIES }
    const done = await client.reverts.wait({ id, onProgress: process => show(progress, process), ...options })
    progress.end()
    printRevert(output, done, isPreview)
  } catch (error) {
    progress.end()
    if (cli.world.signal.aborted) output.note(`The revert ${id} goes on.`)
    if (!(error instanceof RevertError)) throw error
    if (output.json) output.result(error.process, () => [])
    throw new Failure({
      what: `The revert ${id} ${error.process.status === 'cancelled' ? 'was cancelled' : 'failed'}.`,
      why: error.process.failure ?? 'What was taken back stays so.',
      todo: 'Revert again: what is done already is left as it is.',
      data: { revertId: id, status: error.process.status },
    })
  } finally {
    progress.end()
  }
}

function show(progress: Progress, { status, progress: { phase, changesDone, percent } }: RevertProcess): void {
  if (status === 'failed' || status === 'cancelled') return
  const label = status === 'pending' ? 'Waiting' : `${phase.charAt(0).toUpperCase()}${phase.slice(1)}`
  progress.show({ label, done: changesDone, total: undefined, unit: 'rows', share: percent / 100 })
}

function printRevert(output: Output, revert: RevertProcess, isPreview: boolean): void {
  const counts = Object.entries(revert.results).map(([entity, each]) => ({ entity, ...each }))
  const dry = revert.dryRun ? ' (dry run: nothing was written)' : ''
  const isForPrograms = output.json && !isPreview
  if (!isForPrograms) output.note(`The revert ${revert.id} is ${revert.status}${dry}.`)
  if (isPreview) output.noteTable(countColumns, counts)
  else output.table(revert, countColumns, counts)
  if (isForPrograms || revert.issueCount === 0) return
  const shown = revert.issues.slice(0, ISSUES_SHOWN)
  output.note(`${revert.issueCount} left alone:`)
  output.noteTable(
    issueColumns,
    shown.map(issue => ({ ...issue })),
  )
  const more = revert.issueCount - shown.length
  if (more > 0) output.note(`and ${more} more: selvedge files download ${revert.issuesFileId}`)
}
