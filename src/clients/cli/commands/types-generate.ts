// Code for programs that know the types of their organization (N54).

import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Command, Option } from 'commander'
import type { Client } from '../../typescript/index.ts'
import { type Cli, examples, PATIENT_RETRIES } from '../cli.ts'
import { Failure, usage } from '../failure.ts'
import { javaOf } from '../generate/java.ts'
import { pythonOf } from '../generate/python.ts'
import { type TypeModel, typeModels } from '../generate/type-model.ts'
import { typescriptOf } from '../generate/typescript.ts'
import { documentFrom, wholeNumber } from '../input.ts'
import { replaceFile } from '../whole-file.ts'

interface Flags {
  out: string
  from?: string
  check?: boolean
  watch?: boolean
  interval: string
  language: 'typescript' | 'java' | 'python'
  package?: string
}

export function addGenerate(types: Command, cli: Cli): void {
  types
    .command('generate')
    .description(
      'Make a file with a type for each type path. In TypeScript it is known to every call of selvedge/client from then on; nothing needs to be imported.',
    )
    .requiredOption('--out <file>', 'where it goes, for example src/selvedge-types.ts')
    .option('--from <file>', 'a saved answer of GET /types?format=json-schema&variant=read, instead of the service')
    .option('--check', 'write nothing; fail where the file is not what would be written')
    .option('--watch', 'stay, and write again whenever a type changes')
    .option('--interval <seconds>', 'with --watch: how often to look', '5')
    .addOption(
      new Option('--language <name>', 'what to make').choices(['typescript', 'java', 'python']).default('typescript'),
    )
    .option('--package <name>', 'of the Java class, for example com.example.data')
    .addHelpText(
      'after',
      examples(
        'selvedge types generate --out src/selvedge-types.ts',
        'selvedge types generate --out src/selvedge-types.ts --check',
        'selvedge types generate --language python --out product_types.py',
        'selvedge types generate --language java --package com.example --out src/main/java/com/example/Types.java',
      ),
    )
    .action(async (flags: Flags, command: Command) => {
      if (flags.watch && (flags.check || flags.from !== undefined)) {
        throw usage('--watch goes with neither --check nor --from.', 'Leave one of them out.')
      }
      const output = cli.output(command)
      const write = async (document: unknown) => {
        const hasChanged = await keep(flags, document)
        output.note(`${flags.out} ${hasChanged ? 'written' : 'is up to date'}.`)
      }
      if (flags.from !== undefined) return write(await documentFrom(cli.world, flags.from))
      const client = await cli.client(command)
      if (!flags.watch) return write(await schemasOf(client))
      await watch(client, wholeNumber('--interval', flags.interval) * 1000, cli.world.signal, write)
    })
}

const schemasOf = (client: Client) => client.types.schema({ variant: 'read' })

/** Once for all changes that came together, and at the start. */
async function watch(
  client: Client,
  intervalMs: number,
  signal: AbortSignal,
  write: (document: unknown) => Promise<void>,
): Promise<void> {
  const onSyncKey = async () => write(await schemasOf(client))
  const options = { intervalMs, signal, maxRetries: PATIENT_RETRIES, onSyncKey }
  for await (const _ of client.changes.poll({ criteria: { entityType: 'type' }, ...options })) {
    // What has changed is read whole, behind the last of them.
  }
  throw signal.reason
}

/** Whether the file is another one now. */
async function keep(flags: Flags, document: unknown): Promise<boolean> {
  const text = codeFor(flags, typeModels(document))
  const before = await textOf(flags.out)
  if (before === text) return false
  if (flags.check) throw drift(flags.out, before, text)
  await mkdir(path.dirname(path.resolve(flags.out)), { recursive: true })
  await replaceFile(flags.out, text)
  return true
}

function codeFor({ language, out, package: packageName }: Flags, models: readonly TypeModel[]): string {
  if (language === 'typescript') return typescriptOf(models)
  if (language === 'python') return pythonOf(models)
  return javaOf(models, path.basename(out, '.java'), packageName)
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function drift(file: string, before: string | undefined, now: string): Failure {
  const lines = before?.split('\n') ?? []
  const at = now.split('\n').findIndex((line, index) => line !== lines[index])
  return new Failure({
    what: `${file} is not what the types of the organization make.`,
    why: before === undefined ? 'There is no such file.' : `It differs from line ${at < 0 ? lines.length : at + 1} on.`,
    todo: 'Run the same command without --check, and look at what has changed.',
  })
}
