// The change history, once or for ever.

import type { Command } from 'commander'
import type { ChangeCriteria, ChangeRecord } from '../../typescript/index.ts'
import { type Cli, examples, PATIENT_RETRIES } from '../cli.ts'
import { usage } from '../failure.ts'
import { collect, commaList, wholeNumber } from '../input.ts'
import { firstKey, storeKey, typedKey } from '../sync-file.ts'
import type { Column } from '../table.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns: Column[] = [
  { key: 'createdOn', title: 'time' },
  { key: 'changeType', title: 'change' },
  { key: 'entityReference', title: 'entity', isWhole: true },
  { key: 'by', onScreen: row => row.createdByType },
  { key: 'properties', isWrapped: true },
]

interface Flags extends PageFlags {
  entityType: string[]
  reference?: string
  since?: string
  until?: string
  order?: string
  after?: string
  follow?: boolean
  interval: string
  syncFile?: string
}

export function addChanges(program: Command, cli: Cli): void {
  withPages(program.command('changes'))
    .description('Show what has changed, newest first; with --follow wait for what changes next.')
    .option('--entity-type <name>', 'only changes of this type; may stand several times', collect, [])
    .option('--reference <type:id>', 'only changes of one entity, for example item:ITEM_ID')
    .option('--since <date>', 'from this day or ISO time on')
    .option('--until <date>', 'up to this day or ISO time')
    .option('--order <direction>', 'asc or desc')
    .option('--after <syncKey>', 'what was committed after this point, oldest first; "" for the beginning')
    .option('--follow', 'keep waiting for changes until interrupted')
    .option('--interval <seconds>', 'how often --follow asks', '5')
    .option(
      '--sync-file <path>',
      'with --follow: begin where the file says, without one at --after; keep in it what has been written',
    )
    .addHelpText(
      'after',
      examples(
        'selvedge changes --entity-type item --since 2026-05-01',
        'selvedge changes --reference item:ITEM_ID --json',
        'selvedge changes --follow --sync-file position.txt --json | ./handle-each-line',
      ),
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.follow) return follow(cli, flags, command)
      if (flags.syncFile !== undefined)
        throw usage('--sync-file goes with --follow only.', 'Add --follow, or use --after.')
      const client = await cli.client(command)
      const query = { criteria: criteriaOf(flags), order: orderOf(flags.order), after: flags.after }
      const { syncKey } = await printPages(cli, command, flags, {
        columns,
        read: place => client.changes.list({ ...query, ...place }),
        rows: ({ results }) => results.map(rowOf),
        none: 'Nothing has changed.',
      })
      const output = cli.output(command)
      if (!output.json) output.note(`Go on from here with --after ${typedKey(syncKey)}`)
    })
}

async function follow(cli: Cli, flags: Flags, command: Command): Promise<void> {
  const { syncFile } = flags
  if (flags.order !== undefined)
    throw usage('--order does not go with --follow.', 'Leave it out: changes come oldest first.')
  if (flags.all || flags.pageKey !== undefined)
    throw usage('--all and --page-key do not go with --follow.', 'Use --after to begin at an earlier point.')
  const intervalMs = wholeNumber('--interval', flags.interval) * 1000
  const criteria = criteriaOf(flags)
  const client = await cli.client(command)
  const output = cli.output(command)
  let last = await firstKey(syncFile, flags.after)
  const onSyncKey = async (syncKey: string) => {
    last = syncKey
    if (syncFile !== undefined) await storeKey(syncFile, syncKey)
  }
  const { limit } = flags
  const { signal } = cli.world
  const since = last === undefined ? 'now' : last === '' ? 'the beginning' : 'where it stopped'
  if (!output.json)
    output.note(`Waiting for changes from ${since} on, asking every ${flags.interval} s. Ctrl-C ends it.`)
  try {
    const options = { intervalMs, limit, signal, maxRetries: PATIENT_RETRIES }
    for await (const change of client.changes.poll({ criteria, syncKey: last, onSyncKey, ...options })) {
      await output.rows(columns, [rowOf(change)], [change])
    }
    throw signal.reason
  } finally {
    if (last !== undefined && syncFile === undefined)
      output.note(`Go on from here with --follow --after ${typedKey(last)}`)
  }
}

function criteriaOf(flags: Flags): ChangeCriteria | undefined {
  const { reference, since, until } = flags
  const types = flags.entityType.flatMap(text => commaList('--entity-type', text))
  const criteria: ChangeCriteria = {}
  if (types.length > 0) criteria.entityType = types.length === 1 ? types[0] : types
  if (reference !== undefined) criteria.entityReference = reference
  if (since !== undefined || until !== undefined) {
    criteria.createdOn = `BETWEEN ${since ?? '1970-01-01'} and ${until ?? '9999-12-31'}`
  }
  return Object.keys(criteria).length === 0 ? undefined : criteria
}

function orderOf(direction: string | undefined) {
  if (direction === undefined) return undefined
  if (direction === 'asc' || direction === 'desc') return { orderField: 'createdOn', order: direction } as const
  throw usage(`--order must be asc or desc, not ${JSON.stringify(direction)}.`, 'Correct the direction.')
}

function rowOf(change: ChangeRecord) {
  const by = [change.createdByType, change.createdById].filter(each => each).join(':')
  return { ...change, by, properties: Object.keys(change.changes ?? {}).join(', ') }
}
