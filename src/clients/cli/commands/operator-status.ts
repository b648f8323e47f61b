// How the deployment is, and what its queues gave up.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const MB = 1024 * 1024

const columns = ['id', 'organization', 'kind', 'subjectId', 'createdOn'].map(key => ({ key }))

export function addStatus(operator: Command, cli: Cli): void {
  operator
    .command('status')
    .description('What is deployed, whether its stores answer, and what stands still.')
    .addHelpText('after', examples('selvedge operator status', 'selvedge operator status --json'))
    .action(async (_flags: object, command: Command) => {
      const status = await (await cli.operator(command)).status()
      const { schema, missingBindings, checks, organizations, loads, deliveries, deadLetters, ...about } = status
      const rows = {
        ...about,
        schema: schema.applied === schema.expected ? schema.applied : `${schema.applied}, needs ${schema.expected}`,
        missingBindings: missingBindings.join(', ') || 'none',
        ...Object.fromEntries(
          checks.map(({ name, isOk, ms }) => [name, isOk ? `answers in ${ms} ms` : 'does not answer']),
        ),
        organizations: `${organizations.total}, ${organizations.suspended} suspended`,
        loads: loads.waiting === 0 ? 'none' : `${loads.waiting}, the oldest moved ${loads.oldestStepOn}`,
        deliveries: `${deliveries.delivered} delivered, ${deliveries.pending} pending, ${deliveries.failed} failed since ${deliveries.since}`,
        deadLetters: deadLetters.total === 0 ? 'none' : `${deadLetters.total}, the oldest of ${deadLetters.oldestOn}`,
      }
      const lines = Object.entries(rows).map(([what, is]) => ({ what, is }))
      cli.output(command).table(status, [{ key: 'what' }, { key: 'is' }], lines)
    })

  operator
    .command('databases')
    .description('The databases of the deployment, and how full each is.')
    .addHelpText('after', examples('selvedge operator databases', 'selvedge operator databases --json'))
    .action(async (_flags: object, command: Command) => {
      const found = await (await cli.operator(command)).databases()
      const rows = found.results.map(each => ({ ...each, megabytes: each.bytes && Math.ceil(each.bytes / MB) }))
      const keys = ['name', 'state', 'megabytes', 'organizations', 'warning']
      cli.output(command).table(
        found,
        keys.map(key => ({ key })),
        rows,
      )
    })

  const letters = operator
    .command('dead-letters')
    .description('Wake-ups that the queues gave up: list them, send them again.')
    .addHelpText('after', examples('selvedge operator dead-letters list'))

  withPages(letters.command('list'))
    .description('List them, oldest first.')
    .addHelpText('after', examples('selvedge operator dead-letters list'))
    .action(async (flags: PageFlags, command: Command) => {
      const client = await cli.operator(command)
      await printPages(cli, command, flags, { columns, read: place => client.deadLetters(place) })
    })

  letters
    .command('replay')
    .description('Send one again.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge operator dead-letters replay ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).replayDeadLetter({ id })
      cli.output(command).note(`${id} was sent again.`)
    })
}
