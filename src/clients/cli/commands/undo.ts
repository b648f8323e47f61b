// Takes changes back, whoever made them (N52).
import type { Command } from 'commander'
import type { ChangesToRestore } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { collect, commaList } from '../input.ts'
import { ask, canAsk } from '../prompt.ts'
import { watchRevert } from '../revert-watch.ts'

const MAKERS = ['user', 'app', 'operator', 'loader', 'workflow'] as const

interface Flags {
  since: string
  until?: string
  by?: string
  byType?: string
  entityType: string[]
  reference?: string
  dryRun?: boolean
  yes?: boolean
  wait: boolean
}

export function addUndo(program: Command, cli: Cli): void {
  program
    .command('undo')
    .description('Take changes back, for example all that one key has made since a time. What others did since stays.')
    .requiredOption('--since <time>', 'from this day or ISO time on; UTC where it names no zone')
    .option('--until <time>', 'up to this day or ISO time; now unless given')
    .option('--by <id>', 'only changes that this key, person or load made, as `changes --json` names them')
    .option('--by-type <type>', `only changes made by one of ${MAKERS.join(', ')}`)
    .option('--entity-type <name>', 'only changes of this type; may stand several times', collect, [])
    .option('--reference <type:id>', 'only changes of one entity, for example item:ITEM_ID')
    .option('--dry-run', 'write nothing and tell what would be done')
    .option('--yes', 'at a terminal: do it at once, without showing what would be done and asking')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      examples(
        'selvedge undo --since 2026-05-01T10:00:00Z --by KEY_ID --dry-run',
        'selvedge undo --since 2026-05-01T12:00:00+02:00 --by KEY_ID --yes',
        'selvedge undo --since 2026-05-01 --until 2026-05-02 --entity-type item',
      ),
    )
    .action(async (flags: Flags, command: Command) => {
      const asked = changesOf(flags)
      // A script has said what it wants; a person at a terminal sees it first.
      const isSure = flags.dryRun || flags.yes || !canAsk(cli.world)
      const changes = isSure ? asked : await confirmed(cli, command, asked)
      const started = await (await cli.client(command)).reverts.startForChanges({ changes })
      if (flags.wait) return watchRevert(cli, command, started.id)
      cli.output(command).result(started, () => [started.id])
    })
}

/** What is taken back is what was shown: changes that come meanwhile are not. */
async function confirmed(cli: Cli, command: Command, changes: ChangesToRestore): Promise<ChangesToRestore> {
  const tried = await (await cli.client(command)).reverts.startForChanges({ changes: { ...changes, dryRun: true } })
  const { since, until } = tried
  cli.output(command).note(`Changes from ${since} to ${until}. Looking what would be done.`)
  await watchRevert(cli, command, tried.id, { isPreview: true })
  const typed = await ask(cli.world, 'Type yes to take this back', 'Give --yes.')
  if (typed !== 'yes') throw usage('Nothing was taken back.', 'Type yes.', 'The answer was another one.')
  return { ...changes, since: since ?? changes.since, until: until ?? changes.until }
}

function changesOf({ since, until, by, byType, entityType, reference, dryRun }: Flags): ChangesToRestore {
  const createdByType = MAKERS.find(maker => maker === byType)
  if (byType !== undefined && !createdByType) {
    throw usage(`--by-type must be one of ${MAKERS.join(', ')}, not ${JSON.stringify(byType)}.`, 'Correct the type.')
  }
  const types = entityType.flatMap(text => commaList('--entity-type', text))
  const criteria = {
    createdById: by,
    createdByType,
    entityType: types.length ? types : undefined,
    entityReference: reference,
  }
  return { criteria, since, until, dryRun }
}
