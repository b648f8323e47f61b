// Types: what properties the entities of a type path have.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'

const typeColumns = [{ key: 'typePath', title: 'type path' }, { key: 'label' }, { key: 'properties' }]
const propertyColumns = ['slug', 'label', 'propertyType', 'level', 'required', 'archived'].map(key => ({ key }))

export function addTypes(program: Command, cli: Cli): void {
  const types = program
    .command('types')
    .description('Show the entity types and their properties.')
    .addHelpText('after', examples('selvedge types list', 'selvedge types get item:product'))

  types
    .command('list')
    .description('List the types.')
    .addHelpText('after', examples('selvedge types list'))
    .action(async (_flags: object, command: Command) => {
      const page = await (await cli.client(command)).types.list({ queryParams: { limit: 1000 } })
      const rows = page.results.map(each => ({ ...each, properties: each.properties?.length ?? 0 }))
      cli.output(command).table(page, typeColumns, rows)
    })

  types
    .command('get')
    .description('Show the properties of a type path, with those it inherits.')
    .argument('<typePath>')
    .addHelpText('after', examples('selvedge types get item:product', 'selvedge types get item --json'))
    .action(async (typePath: string, _flags: object, command: Command) => {
      const type = await (await cli.client(command)).types.get({ typePath })
      cli.output(command).table(type, propertyColumns, type.properties ?? [])
    })
}
