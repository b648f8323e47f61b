// Moves an organization to another database, and shows how far it is (N57).
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import type { OrganizationMove } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { Failure } from '../failure.ts'
import { Progress } from '../progress.ts'

interface MoveFlags {
  to?: string
  cancel?: boolean
  wait?: boolean
}

const LOOK_MS = 500

export function addMove(operator: Command, cli: Cli): void {
  operator
    .command('move')
    .description('Move an organization to another database while it is in use. Run again, it goes on watching.')
    .argument('<org>', 'slug')
    .option('--to <database>', 'its name, see `operator databases`; without it, the last move is shown')
    .option('--cancel', 'give the move up: the organization stays where it was')
    .option('--no-wait', 'only begin it')
    .addHelpText(
      'after',
      examples(
        'selvedge operator move demo --to DATA_01',
        'selvedge operator move demo',
        'selvedge operator move demo --cancel',
      ),
    )
    .action(async (slug: string, flags: MoveFlags, command: Command) => {
      const { moves } = await cli.operator(command)
      const output = cli.output(command)
      if (flags.cancel) return output.fields({ ...(await moves.cancel({ slug })) })
      if (flags.to === undefined) return output.fields({ ...(await moves.get({ slug })) })
      const begun = await moves.begin({ slug, database: flags.to })
      if (flags.wait === false) return output.fields({ ...begun })
      const progress = new Progress(cli.world, output.json)
      try {
        let move = begun
        while (move.state === 'moving') {
          show(progress, move)
          await setTimeout(LOOK_MS, undefined, { signal: cli.world.signal })
          move = await moves.get({ slug, signal: cli.world.signal })
        }
        progress.end()
        if (move.state !== 'complete') throw notMoved(move)
        output.fields({ ...move })
      } finally {
        progress.end()
      }
    })
}

function show(progress: Progress, { phase, percent, rows }: OrganizationMove): void {
  const done = phase === 'comparing' ? rows.compared : rows.copied
  progress.show({ label: phase, done, total: rows.total, unit: 'rows', share: percent / 100 })
}

function notMoved({ organization, from, state, error }: OrganizationMove): Failure {
  return new Failure({
    what: `${organization} was not moved.`,
    why: error ?? `The move was ${state}.`,
    todo: `It is in ${from} as before, and open. Begin again when that is mended.`,
  })
}
