// Types: what properties the entities of a type path have.

import type { Command } from 'commander'
import type { EntityType, TypePage, TypeProperty } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import type { Column } from '../table.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'
import { addGenerate } from './types-generate.ts'
import { addSync } from './types-sync.ts'

const typeColumns: Column[] = [
  { key: 'typePath', title: 'type path', isWhole: true },
  { key: 'label' },
  { key: 'properties', align: 'right' },
  { key: 'about', isWrapped: true },
]
const propertyColumns: Column[] = [
  { key: 'slug', isWhole: true },
  { key: 'label' },
  { key: 'propertyType', title: 'type', isWhole: true },
  { key: 'level' },
  { key: 'marks' },
  { key: 'inheritedFrom', title: 'from' },
  { key: 'options', isWrapped: true },
]

/** As many as an organization may have, unless it was given more. */
const USUALLY_ALL = 1000

export function addTypes(program: Command, cli: Cli): void {
  const types = program
    .command('types')
    .description('Show entity types and their properties; make code from them; keep them in git.')
    .addHelpText(
      'after',
      examples('selvedge types list', 'selvedge types get item:product', 'selvedge types generate --out types.ts'),
    )

  withPages(types.command('list'))
    .description('List the entity types, and the type paths that the organization describes.')
    .addHelpText('after', examples('selvedge types list'))
    .action(async (flags: PageFlags, command: Command) => {
      const client = await cli.client(command)
      await printPages(cli, command, flags, {
        columns: typeColumns,
        read: queryParams => client.types.list({ queryParams }),
        rows: rowsOf,
        limit: USUALLY_ALL,
      })
    })

  types
    .command('get')
    .description('Show the properties of a type path, with those it inherits.')
    .argument('<typePath>')
    .addHelpText('after', examples('selvedge types get item:product', 'selvedge types get item --json'))
    .action(async (typePath: string, _flags: object, command: Command) => {
      const type = await (await cli.client(command)).types.get({ typePath })
      const output = cli.output(command)
      if (!output.json) output.note(titleOf(type))
      if (output.json || type.properties.length > 0) output.table(type, propertyColumns, type.properties.map(rowOf))
    })

  addGenerate(types, cli)
  addSync(types, cli)
}

function titleOf({ typePath, label, properties }: EntityType): string {
  const name = label ? `${typePath} (${label})` : typePath
  return properties.length === 0 ? `${name} defines no properties: its entities take any.` : `${name}:`
}

function rowOf(property: TypeProperty) {
  const marks = (['required', 'archived'] as const).filter(mark => property[mark])
  return { ...property, marks: marks.join(', '), options: optionsOf(property) }
}

/** The values, which are what is stored; the label beside a value that has another. */
function optionsOf({ options }: TypeProperty): string {
  return (options ?? [])
    .map(each => (typeof each === 'string' ? { value: each } : each))
    .map(({ value, label }) => (label === undefined || label === value ? value : `${value} (${label})`))
    .join(', ')
}

/**
 * The root of each entity type, described or not, then the type paths below. They stand on the first page; a root that is described
 * on a later one comes again there.
 */
function rowsOf(page: TypePage, isFirst: boolean) {
  const described = new Map(page.results.map(each => [each.typePath, each]))
  const about = new Map(page.entityTypes.map(each => [each.rootTypePath, each.about]))
  const paths = new Set([...(isFirst ? about.keys() : []), ...described.keys()])
  const unknown = page.nextPageKey === null ? 0 : ''
  return [...paths].map(typePath => {
    const type = described.get(typePath)
    const properties = type ? (type.properties?.length ?? 0) : unknown
    return { typePath, about: about.get(typePath) ?? '', label: type?.label ?? '', properties }
  })
}
