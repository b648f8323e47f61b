// Entities of all types, by words.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { commaList, wholeNumber } from '../input.ts'

const COLUMNS = 'entityType,id,name,typePath,federatedId,updatedOn'

interface SearchFlags {
  type?: string
  limit?: string
  columns: string
  pageKey?: string
}

export function addSearch(program: Command, cli: Cli): void {
  program
    .command('search')
    .description('Find entities of all types by words, beginnings of words or whole keys.')
    .argument('<text...>', 'what must be found: all words, or a key such as AB-123/4')
    .option('--type <entity>', 'one entity type, for example item')
    .option('--limit <number>', 'how many, 1 to 1000')
    .option('--columns <list>', 'properties to show in the table', COLUMNS)
    .option('--page-key <key>', 'go on where an earlier page ended')
    .addHelpText('after', examples('selvedge search linen shirt', 'selvedge search AB-123/4 --type item --json'))
    .action(async (text: string[], flags: SearchFlags, command: Command) => {
      const limit = flags.limit === undefined ? undefined : wholeNumber('--limit', flags.limit)
      const client = await cli.client(command)
      const output = cli.output(command)
      const page = await client.entities.search({
        q: text.join(' '),
        entityType: flags.type,
        limit,
        nextPageKey: flags.pageKey,
      })
      const columns = commaList(flags.columns).map(key => ({ key }))
      if (output.json || page.results.length > 0) output.table(page, columns, page.results)
      if (page.results.length === 0 && !output.json) output.note('Nothing was found.')
      if (page.nextPageKey !== null && !output.json) output.note(`There are more: --page-key ${page.nextPageKey}`)
    })
}
