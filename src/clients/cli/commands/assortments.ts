// What assortments can do beyond being entities.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['id', 'createdOn', 'createdByType', 'adds', 'updates', 'deletes'].map(key => ({
  key,
}))

export function addAssortments(program: Command, cli: Cli): void {
  const assortments = program
    .command('assortments')
    .description('Publish assortments.')
    .addHelpText('after', examples('selvedge assortments publish ASSORTMENT_ID'))

  assortments
    .command('publish')
    .description('Publish an assortment: summary, publish record, event.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge assortments publish ASSORTMENT_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      cli.output(command).fields({ ...(await (await cli.client(command)).assortments.publish({ id })) })
    })

  assortments
    .command('publish-record')
    .description('Show what a publish changed.')
    .argument('<id>')
    .argument('<changeId>')
    .addHelpText('after', examples('selvedge assortments publish-record ASSORTMENT_ID CHANGE_ID'))
    .action(async (id: string, changeId: string, _flags: object, command: Command) => {
      const record = await (await cli.client(command)).assortments.publishRecord({ id, changeId })
      cli.output(command).fields({ ...record })
    })

  withPages(assortments.command('publish-records'))
    .description('List the publishes of an assortment, newest first.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge assortments publish-records ASSORTMENT_ID'))
    .action(async (id: string, flags: PageFlags, command: Command) => {
      const client = await cli.client(command)
      await printPages(cli, command, flags, {
        columns,
        read: place => client.assortments.publishRecords({ id, ...place }),
        rows: ({ results }) =>
          results.map(({ detail: { adds, updates, deletes }, ...record }) => ({ ...record, adds, updates, deletes })),
      })
    })
}
