// Imports a JSON list or lines of JSON in batches. For CSV files there is `load`.

import type { Command } from 'commander'
import { ApiError, type NewEntity } from '../../typescript/index.ts'
import { linesOf } from '../../typescript/lines.ts'
import { type Cli, examples } from '../cli.ts'
import { withEntityName } from '../entity-name.ts'
import { usage } from '../failure.ts'
import { isRecord, parseDocument } from '../input.ts'
import { Progress } from '../progress.ts'
import { sourceOf } from './files.ts'

const BATCH_SIZE = 500
/** As they are sent; the service takes twice as many. */
const MAX_BATCH_BYTES = 4_000_000

export function addImport(entities: Command, cli: Cli): void {
  entities
    .command('import')
    .description('Create entities from lines of JSON, 500 at a time; each batch is written whole or not at all.')
    .argument('<entity>', 'singular name')
    .argument('<file>', 'one JSON object a line, - for stdin')
    .option('--upsert', 'update the entities whose federatedId exists')
    .addHelpText(
      'after',
      examples(
        'selvedge entities import color colors.ndjson --upsert',
        'selvedge entities list color --all --json | selvedge entities import color - --upsert --profile staging',
      ),
    )
    .action(async (entityName: string, file: string, flags: { upsert?: boolean }, command: Command) => {
      const client = await cli.client(command)
      const output = cli.output(command)
      const progress = new Progress(cli.world, output.json)
      let done = 0
      try {
        const { content } = await sourceOf(cli.world, file)
        for await (const { objects, lines } of batchesOf(linesOf(content))) {
          const batch = { entityName, objects }
          const send = () => (flags.upsert ? client.entities.upsertBatch(batch) : client.entities.createBatch(batch))
          await withEntityName(entityName, send).catch(error => Promise.reject(byLine(error, lines)))
          done += objects.length
          progress.show({ label: 'Importing', done, total: undefined, unit: 'rows' })
        }
      } catch (error) {
        output.note(`${done} entities were written before the failure.`)
        throw error
      } finally {
        progress.end()
      }
      output.result({ written: done }, () => [`${done} entities written.`])
    })
}

/** The service counts in the batch, from 0; a person counts the lines of the file. */
function byLine(error: unknown, lines: readonly number[]): unknown {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map(({ path, message }) => {
    const [, at, rest = ''] = /^\/(\d+)(.*)$/s.exec(path) ?? []
    const line = at === undefined ? undefined : lines[Number(at)]
    return { path: line === undefined ? path : `line ${line} ${rest}`.trimEnd(), message }
  })
  const { status, code, message, detail, requestId, body } = error
  return new ApiError({ status, code, message, detail, requestId, body, errors, cause: error })
}

interface Batch {
  objects: NewEntity[]
  /** Where each of them stands in the file. */
  lines: number[]
}

async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<Batch> {
  let batch: Batch = { objects: [], lines: [] }
  let bytes = 0
  let lineNumber = 0
  for await (const line of lines) {
    lineNumber += 1
    if (line.trim() === '') continue
    const object = objectOf(line, lineNumber)
    const size = Buffer.byteLength(JSON.stringify(object)) + 1
    const isFull = batch.objects.length === BATCH_SIZE || bytes + size > MAX_BATCH_BYTES
    if (isFull && batch.objects.length > 0) {
      yield batch
      batch = { objects: [], lines: [] }
      bytes = 0
    }
    batch.objects.push(object)
    batch.lines.push(lineNumber)
    bytes += size
  }
  if (batch.objects.length > 0) yield batch
}

function objectOf(line: string, lineNumber: number): NewEntity {
  const value = parseDocument(line, `line ${lineNumber}`)
  if (isRecord(value)) return value
  throw usage(`Line ${lineNumber} is not a JSON object.`, 'Write one entity as a JSON object on each line.')
}
