// Entities of all types, by words.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { commaList } from '../input.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const COLUMNS = 'entityType,id,name,typePath,federatedId,updatedOn'

interface SearchFlags extends PageFlags {
  type?: string
  columns: string
}

export function addSearch(program: Command, cli: Cli): void {
  withPages(program.command('search'))
    .description('Find entities of all types by words, beginnings of words or whole keys.')
    .argument('<text...>', 'what must be found: all words, or a key such as AB-123/4')
    .option('--type <entity>', 'one entity type, for example item')
    .option('--columns <list>', 'properties to show in the table', COLUMNS)
    .addHelpText('after', examples('selvedge search linen shirt', 'selvedge search AB-123/4 --type item --json'))
    .action(async (text: string[], flags: SearchFlags, command: Command) => {
      const client = await cli.client(command)
      const asked = { q: text.join(' '), entityType: flags.type }
      await printPages(cli, command, flags, {
        columns: commaList('--columns', flags.columns).map(key => ({ key })),
        read: place => client.entities.search({ ...asked, ...place }),
        none: 'Nothing was found.',
      })
    })
}
