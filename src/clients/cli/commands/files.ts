// Files: upload, download, look.

import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { EXIT_USAGE, Failure } from '../failure.ts'
import { stdinOf } from '../input.ts'
import { Progress } from '../progress.ts'
import type { World } from '../terminal.ts'
import { contentOf, writeContent } from '../whole-file.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['id', 'fileName', 'contentType', 'size', 'status', 'createdOn'].map(key => ({ key }))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.tsv': 'text/tab-separated-values',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.jsonl': 'application/x-ndjson',
  '.ndjson': 'application/x-ndjson',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.mp4': 'video/mp4',
}

export function addFiles(program: Command, cli: Cli): void {
  const files = program
    .command('files')
    .description('Upload, download and delete files.')
    .addHelpText(
      'after',
      examples('selvedge files upload styles.csv', 'selvedge files download FILE_ID --output back.csv'),
    )

  files
    .command('upload')
    .description('Upload a file; large ones go in parts.')
    .argument('<file>', 'path, or - for stdin')
    .option('--file-name <name>', 'another name than that of the path')
    .option('--content-type <type>', 'another type than that of the extension')
    .addHelpText(
      'after',
      examples('selvedge files upload styles.csv', 'cat a.csv | selvedge files upload - --file-name a.csv'),
    )
    .action(async (file: string, flags: { fileName?: string; contentType?: string }, command: Command) => {
      const client = await cli.client(command)
      const output = cli.output(command)
      const source = await sourceOf(cli.world, file)
      const progress = new Progress(cli.world, output.json)
      try {
        const record = await client.files.upload({
          ...source,
          fileName: flags.fileName ?? source.fileName,
          contentType: flags.contentType ?? source.contentType,
          onProgress: ({ bytesDone }) =>
            progress.show({ label: 'Uploading', done: bytesDone, total: source.size, unit: 'bytes' }),
        })
        progress.end()
        output.fields(record)
      } finally {
        progress.end()
      }
    })

  files
    .command('download')
    .description('Download a file to a path, or to stdout.')
    .argument('<id>')
    .option('-o, --output <path>', 'where to write it (default: stdout)')
    .addHelpText('after', examples('selvedge files download FILE_ID --output issues.csv'))
    .action(async (id: string, flags: { output?: string }, command: Command) => {
      const response = await (await cli.client(command)).files.download({ id })
      await writeContent(cli.world, contentOf(response), flags.output)
      if (flags.output !== undefined) cli.output(command).note(`Written to ${flags.output}.`)
    })

  files
    .command('get')
    .description('Show the record of a file.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge files get FILE_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      cli.output(command).fields(await (await cli.client(command)).files.get({ id }))
    })

  files
    .command('delete')
    .description('Delete a file and its content.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge files delete FILE_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await (await cli.client(command)).entities.delete({ entityName: 'file', id })
      cli.output(command).result({ id }, () => [`The file ${id} is deleted.`])
    })

  withPages(files.command('list'))
    .description('List files.')
    .addHelpText('after', examples('selvedge files list', 'selvedge files list --all --json > files.ndjson'))
    .action(async (flags: PageFlags, command: Command) => {
      const client = await cli.client(command)
      await printPages(cli, command, flags, { columns, read: queryParams => client.files.list({ queryParams }) })
    })
}

export interface Source {
  content: AsyncIterable<Uint8Array>
  fileName: string
  contentType: string
  /** Undefined for stdin, a pipe or a device. */
  size: number | undefined
}

/** A file of this machine, read piece by piece, or stdin. */
export async function sourceOf(world: World, file: string): Promise<Source> {
  if (file === '-')
    return { content: stdinOf(world), fileName: 'stdin', contentType: 'application/octet-stream', size: undefined }
  const size = await readableSize(file).catch(error => {
    const todo = 'Check the path; use - to read from stdin.'
    throw new Failure({ what: `The file ${file} cannot be read.`, why: error.message, todo, exitCode: EXIT_USAGE })
  })
  const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream'
  return { content: piecesOf(file), fileName: path.basename(file), contentType, size }
}

async function readableSize(file: string): Promise<number | undefined> {
  const facts = await stat(file)
  if (facts.isDirectory()) throw new Error('It is a folder.')
  await access(file, constants.R_OK)
  return facts.isFile() ? facts.size : undefined
}

/** Opened when somebody reads it: what goes wrong then is told to whoever does. */
async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file)
}
