// Entities of every type, by their singular name.

import type { Command } from 'commander'
import type { ListParams } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { withEntityName } from '../entity-name.ts'
import { usage } from '../failure.ts'
import { collect, commaList, objectFrom, pairsOf, wholeNumber } from '../input.ts'
import { addExport } from './entities-export.ts'
import { addImport } from './entities-import.ts'
import { type CriteriaFlags, criteriaFrom, orderOf, withCriteria } from './list-flags.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const COLUMNS = 'id,name,typePath,federatedId,updatedOn'
const SEARCH = 'words or beginnings of words that must be found'

interface SearchFlags extends CriteriaFlags {
  search?: string
}

interface ListFlags extends SearchFlags, PageFlags {
  order?: string
  relations?: string
  columns: string
}

export function addEntities(program: Command, cli: Cli): void {
  const entities = program
    .command('entities')
    .description('Get, list, create, update, delete, import, export and restore entities: item, color, …')
    .addHelpText(
      'after',
      examples('selvedge entities list item', 'selvedge entities create color --set name=Red --set hex=#ff0000'),
    )

  entities
    .command('get')
    .description('Show one entity.')
    .argument('<entity>', 'singular name, for example item')
    .argument('<id>')
    .option('--relations <list>', 'referenced entities to add, for example item,item.itemFamily')
    .addHelpText('after', examples('selvedge entities get item ITEM_ID', 'selvedge entities get color COLOR_ID --json'))
    .action(async (entityName: string, id: string, flags: { relations?: string }, command: Command) => {
      const client = await cli.client(command)
      const queryParams = { relations: flags.relations }
      const get = () => client.entities.get({ entityName, id, queryParams })
      cli.output(command).fields(await withEntityName(entityName, get))
    })

  withCriteria(withPages(entities.command('list')))
    .description('List entities.')
    .argument('<entity>', 'singular name')
    .option('--search <text>', SEARCH)
    .option('--order <field[:desc]>', 'for example name or updatedOn:desc')
    .option('--relations <list>', 'referenced entities to add')
    .option('--columns <list>', 'properties to show in the table', COLUMNS)
    .addHelpText(
      'after',
      examples(
        'selvedge entities list item --where roles=family --order name --limit 20',
        "selvedge entities list item --where 'price>40' --where name~shirt --or season=SS27 --or season=AW27",
        'selvedge entities list item --criteria \'{"createdOn": {"gte": "2026-01-01", "lt": "2026-02-01"}}\'',
        'selvedge entities list color --all --json > colors.ndjson',
      ),
    )
    .action(async (entityName: string, flags: ListFlags, command: Command) => {
      const query = await listParams(cli, flags)
      const client = await cli.client(command)
      await printPages(cli, command, flags, {
        columns: commaList('--columns', flags.columns).map(key => ({ key })),
        read: place =>
          withEntityName(entityName, () => client.entities.list({ entityName, queryParams: { ...query, ...place } })),
        none: `No ${entityName} fits.`,
      })
    })

  withCriteria(entities.command('count'))
    .description('Count entities; exact up to 10,000.')
    .argument('<entity>', 'singular name')
    .option('--search <text>', SEARCH)
    .addHelpText(
      'after',
      examples('selvedge entities count item', "selvedge entities count item --where 'price>40' --json"),
    )
    .action(async (entityName: string, flags: SearchFlags, command: Command) => {
      const criteria = await criteriaFrom(cli, flags)
      const client = await cli.client(command)
      const count = () => client.entities.count({ entityName, queryParams: { criteria, q: flags.search } })
      cli.output(command).fields({ ...(await withEntityName(entityName, count)) })
    })

  entities
    .command('create')
    .description('Create an entity from a document and --set values.')
    .argument('<entity>', 'singular name')
    .argument('[document]', 'JSON or YAML: in its place, a file, or - for stdin')
    .option('--set <key=value>', 'a property; JSON values keep their type', collect, [])
    .addHelpText(
      'after',
      examples(
        'selvedge entities create item --set name="Linen shirt" --set typePath=item:product',
        'selvedge entities create item shirt.json',
        'echo \'{"name": "Red", "hex": "#ff0000"}\' | selvedge entities create color -',
      ),
    )
    .action(async (entityName: string, document: string | undefined, flags: { set: string[] }, command: Command) => {
      const object = await objectOf(cli, document, flags.set)
      const client = await cli.client(command)
      const create = () => client.entities.create({ entityName, object })
      cli.output(command).fields(await withEntityName(entityName, create))
    })

  entities
    .command('update')
    .description('Change the fields given and keep the others; null clears one.')
    .argument('<entity>', 'singular name')
    .argument('<id>')
    .argument('[document]', 'JSON or YAML: in its place, a file, or - for stdin')
    .option('--set <key=value>', 'a property; JSON values keep their type', collect, [])
    .option('--if-match <version>', 'only if it still has this version')
    .addHelpText(
      'after',
      examples(
        'selvedge entities update item ITEM_ID --set name="Linen shirt, long"',
        'selvedge entities update item ITEM_ID --set season=null',
      ),
    )
    .action(
      async (
        entityName: string,
        id: string,
        document: string | undefined,
        flags: { set: string[]; ifMatch?: string },
        command: Command,
      ) => {
        const body = await objectOf(cli, document, flags.set)
        const client = await cli.client(command)
        const update = () => client.entities.update({ entityName, id, body, ifMatch: versionOf(flags.ifMatch) })
        cli.output(command).fields(await withEntityName(entityName, update))
      },
    )

  entities
    .command('delete')
    .description('Delete entities; several ids go as one batch, all or none.')
    .argument('<entity>', 'singular name')
    .argument('<ids...>')
    .addHelpText('after', examples('selvedge entities delete item ITEM_ID', 'selvedge entities delete color ID1 ID2'))
    .action(async (entityName: string, ids: string[], _flags: object, command: Command) => {
      const client = await cli.client(command)
      const [first = ''] = ids
      await withEntityName(entityName, () =>
        ids.length === 1
          ? client.entities.delete({ entityName, id: first })
          : client.entities.deleteBatch({ entityName, ids }),
      )
      cli.output(command).note(ids.length === 1 ? `Deleted ${entityName} ${first}.` : `Deleted ${ids.length} entities.`)
    })

  addImport(entities, cli)
  addExport(entities, cli)
}

function versionOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber('--if-match', text)
}

async function objectOf(cli: Cli, document: string | undefined, set: string[]): Promise<Record<string, unknown>> {
  if (document === undefined && set.length === 0)
    throw usage('There is nothing to write.', 'Give a document or --set key=value.')
  const base = document === undefined ? {} : await objectFrom(cli.world, document)
  return { ...base, ...pairsOf('--set', set) }
}

async function listParams(cli: Cli, flags: ListFlags): Promise<ListParams> {
  return {
    criteria: await criteriaFrom(cli, flags),
    q: flags.search,
    order: flags.order === undefined ? undefined : orderOf(flags.order),
    relations: flags.relations,
  }
}
