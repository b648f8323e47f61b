// Taking entities out: as CSV, as CSV that loads back, or as JSON lines; and bringing an earlier version back.

import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import type { Client, ExportArgs, ExportFormat } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { withEntityName } from '../entity-name.ts'
import { usage } from '../failure.ts'
import { commaList, wholeNumber } from '../input.ts'
import { Progress } from '../progress.ts'
import type { World } from '../terminal.ts'
import { chunksOf, writeContent } from '../whole-file.ts'
import { type CriteriaFlags, criteriaFrom, orderOf, withCriteria } from './list-flags.ts'

interface ExportFlags extends CriteriaFlags {
  format: string
  out?: string
  forLoad?: true
  search?: string
  order?: string
  properties?: string
}

export function addExport(entities: Command, cli: Cli): void {
  withCriteria(entities.command('export'))
    .description('Export all entities that fit: as CSV, as CSV to edit and load back, or as JSON lines.')
    .argument('<entity>', 'singular name')
    .option('-o, --out <path>', 'where to write it (default: stdout)')
    .option('--format <format>', 'csv or jsonl', 'csv')
    .option('--for-load', 'write CSV that loads back, and its configuration beside it as <path>.json')
    .option('--properties <list>', 'only these properties')
    .option('--search <text>', 'words or beginnings of words that must be found')
    .option('--order <field[:desc]>', 'for example name or updatedOn:desc')
    .addHelpText(
      'after',
      examples(
        'selvedge entities export item --out items.csv',
        'selvedge entities export item --for-load --out items-edit.csv',
        'selvedge load upload-and-load items-edit.csv items-edit.json',
        'selvedge entities export color --format jsonl --where season=SS27 > colors.ndjson',
      ),
    )
    .action(async (entityName: string, flags: ExportFlags, command: Command) => {
      const format = formatOf(flags)
      const configurationFile = configurationFileOf(flags)
      const criteria = await criteriaFrom(cli, flags)
      const order = flags.order === undefined ? undefined : orderOf(flags.order)
      const properties = flags.properties === undefined ? undefined : commaList('--properties', flags.properties)
      const client = await cli.client(command)
      const output = cli.output(command)
      const args = { entityName, criteria, q: flags.search, order, properties, signal: cli.world.signal }
      const configuration =
        configurationFile && (await withEntityName(entityName, () => client.exports.configuration(args)))
      const total = flags.out === undefined ? undefined : await countOf(client, args)
      const response = await withEntityName(entityName, () => client.exports.stream({ ...args, format }))
      // On stdout the bar would stand among the data of a terminal.
      const progress = new Progress(cli.world, output.json || flags.out === undefined)
      const rows = await written(cli.world, response, flags.out, { format, progress, total }).finally(() =>
        progress.end(),
      )
      if (flags.out === undefined) return
      if (configurationFile) await writeFile(configurationFile, `${JSON.stringify(configuration, null, 2)}\n`)
      output.note(`Written to ${flags.out}: ${rows.toLocaleString('en')} rows.`)
      if (configurationFile)
        output.note(`Load it with: selvedge load upload-and-load ${flags.out} ${configurationFile}`)
    })

  entities
    .command('restore')
    .description('Bring an earlier version of an entity back, also of a deleted one.')
    .argument('<entity>', 'singular name')
    .argument('<id>')
    .argument('<version>', 'as `selvedge changes` shows it')
    .option('--properties <list>', 'only these properties')
    .option('--if-match <version>', 'only if it still has this version')
    .addHelpText(
      'after',
      examples(
        'selvedge entities restore item ITEM_ID 3',
        'selvedge entities restore item ITEM_ID 3 --properties price,season',
      ),
    )
    .action(
      async (
        entityName: string,
        id: string,
        version: string,
        flags: { properties?: string; ifMatch?: string },
        command: Command,
      ) => {
        const restore = {
          entityName,
          id,
          version: wholeNumber('version', version),
          properties: flags.properties === undefined ? undefined : commaList('--properties', flags.properties),
          ifMatch: flags.ifMatch === undefined ? undefined : wholeNumber('--if-match', flags.ifMatch),
        }
        const client = await cli.client(command)
        cli.output(command).fields(await withEntityName(entityName, () => client.entities.restore(restore)))
      },
    )
}

function formatOf({ format, forLoad }: ExportFlags): ExportFormat {
  if (format !== 'csv' && format !== 'jsonl') throw usage(`There is no format ${format}.`, 'Write csv or jsonl.')
  if (!forLoad) return format
  if (format === 'jsonl') throw usage('--for-load writes CSV.', 'Leave --format out.')
  return 'csv-load'
}

/** `items.csv` goes with `items.json`. */
function configurationFileOf({ forLoad, out }: ExportFlags): string | undefined {
  if (!forLoad) return undefined
  if (out === undefined)
    throw usage('--for-load writes two files.', 'Name the first with --out, for example --out items.csv.')
  return `${out.replace(/\.csv$/i, '')}.json`
}

/** For the bar alone: unknown where there are too many to be counted, or counting them fails. */
async function countOf(client: Client, { entityName, criteria, q, signal }: ExportArgs): Promise<number | undefined> {
  try {
    const call = { entityName, queryParams: { criteria, q }, signal, maxRetries: 0 }
    const { count, isExact } = await client.entities.count(call)
    return isExact ? count : undefined
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

async function written(
  world: World,
  response: Response,
  file: string | undefined,
  { format, progress, total }: { format: ExportFormat; progress: Progress; total: number | undefined },
): Promise<number> {
  const isCsv = format !== 'jsonl'
  let rows = isCsv ? -1 : 0
  const count = (done: number) => progress.show({ label: 'Exporting', done: Math.max(0, done), total, unit: 'rows' })
  async function* counted(): AsyncGenerator<Uint8Array> {
    if (response.body === null) return
    let isQuoted = false
    for await (const chunk of chunksOf(response.body)) {
      for (const byte of chunk) {
        if (byte === QUOTE && isCsv) isQuoted = !isQuoted
        if (byte === LINE_FEED && !isQuoted) rows++
      }
      count(rows)
      yield chunk
    }
  }
  await writeContent(world, Readable.from(counted()), file)
  return Math.max(0, rows)
}

const QUOTE = 0x22
const LINE_FEED = 0x0a
