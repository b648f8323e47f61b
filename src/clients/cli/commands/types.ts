// Types: what properties the entities of a type path have.

import type { Command } from 'commander'
import type { TypePage } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'

const typeColumns = [{ key: 'typePath', title: 'type path' }, { key: 'label' }, { key: 'properties' }, { key: 'about' }]
const propertyColumns = ['slug', 'label', 'propertyType', 'level', 'required', 'archived'].map(key => ({ key }))

export function addTypes(program: Command, cli: Cli): void {
  const types = program
    .command('types')
    .description('Show the entity types and their properties.')
    .addHelpText('after', examples('selvedge types list', 'selvedge types get item:product'))

  types
    .command('list')
    .description('List the entity types, and the type paths that the organization describes.')
    .addHelpText('after', examples('selvedge types list'))
    .action(async (_flags: object, command: Command) => {
      const page = await (await cli.client(command)).types.list({ queryParams: { limit: 1000 } })
      cli.output(command).table(page, typeColumns, rowsOf(page))
    })

  types
    .command('get')
    .description('Show the properties of a type path, with those it inherits.')
    .argument('<typePath>')
    .addHelpText('after', examples('selvedge types get item:product', 'selvedge types get item --json'))
    .action(async (typePath: string, _flags: object, command: Command) => {
      const type = await (await cli.client(command)).types.get({ typePath })
      const rows = type.properties.map(property => ({ ...property }))
      cli.output(command).table(type, propertyColumns, rows)
    })
}

/** The root of each entity type, described or not, then the type paths below. */
function rowsOf(page: TypePage) {
  const described = new Map(page.results.map(each => [each.typePath, each]))
  const roots = page.entityTypes.map(({ rootTypePath, about }) => ({ typePath: rootTypePath, about }))
  const known = new Set(roots.map(each => each.typePath))
  const below = page.results.filter(each => !known.has(each.typePath)).map(({ typePath }) => ({ typePath, about: '' }))
  return [...roots, ...below].map(row => {
    const type = described.get(row.typePath)
    return { ...row, label: type?.label ?? '', properties: type?.properties?.length ?? 0 }
  })
}
