// Loads: upload a CSV file and load it with a configuration, watch, cancel.

import type { Command } from 'commander'
import { ApiError, type Client, LoadError, type LoaderConfiguration, type LoadProcess } from '../../typescript/index.ts'
import { type Cli, examples, PATIENT_RETRIES } from '../cli.ts'
import { Failure, usage } from '../failure.ts'
import { objectFrom } from '../input.ts'
import { loadFailure, printLoad } from '../load-report.ts'
import { Progress } from '../progress.ts'
import { watchRevert } from '../revert-watch.ts'
import { tableOf } from '../workbook-source.ts'
import { type PageFlags, type Place, printPages, withPages } from './pages.ts'

interface Flags {
  sheet?: string
  dryRun?: boolean
  mode?: string
  name?: string
  configurationId?: string
  wait: boolean
}

const columns = ['id', 'name', 'status', 'failureArea', 'createdOn', 'updatedOn'].map(key => ({ key }))

export function addLoad(program: Command, cli: Cli): void {
  const load = program
    .command('load')
    .description('Load CSV files.')
    .addHelpText('after', examples('selvedge load upload-and-load styles.csv loader.yaml', 'selvedge load get LOAD_ID'))

  withLoadOptions(load.command('upload-and-load'))
    .description('Upload a CSV file and load it; the configuration’s fileLocation is set by itself.')
    .argument('<file>', 'CSV file or Excel workbook (.xlsx), - for CSV from stdin')
    .argument('[config]', 'loader configuration: JSON or YAML file')
    .option('--sheet <name>', 'the sheet of a workbook that is converted to CSV and loaded')
    .addHelpText(
      'after',
      examples(
        'selvedge load upload-and-load styles.csv loader.yaml --dry-run',
        'selvedge load upload-and-load styles.csv loader.json --mode create',
        'selvedge load upload-and-load styles.csv --configuration-id FILE_ID',
        'selvedge load upload-and-load styles.xlsx loader.yaml --sheet Styles',
      ),
    )
    .action(async (file: string, config: string | undefined, flags: Flags, command: Command) => {
      const configuration = await configurationOf(cli, config, flags)
      const source = await tableOf(cli.world, file, flags.sheet)
      const client = await cli.client(command)
      await refuseFaults(client, configuration)
      const progress = new Progress(cli.world, cli.output(command).json)
      const uploaded = await client.files
        .upload({
          ...source,
          contentType: 'text/csv',
          onProgress: ({ bytesDone }) =>
            progress.show({ label: 'Uploading', done: bytesDone, total: source.size, unit: 'bytes' }),
        })
        .finally(() => progress.end())
      await startAndWatch(cli, command, { ...configuration, fileLocation: uploaded.id }, flags.wait)
    })

  withLoadOptions(load.command('start'))
    .description('Load a file that is uploaded already.')
    .argument('<config>', 'loader configuration with fileLocation: JSON or YAML file')
    .addHelpText('after', examples('selvedge load start loader.yaml', 'selvedge load start loader.yaml --no-wait'))
    .action(async (config: string, flags: Flags, command: Command) => {
      await startAndWatch(cli, command, await configurationOf(cli, config, flags), flags.wait)
    })

  load
    .command('watch')
    .description('Watch a load until it ends.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge load watch LOAD_ID'))
    .action((id: string, _flags: object, command: Command) => watch(cli, command, id))

  load
    .command('get')
    .description('Show a load: state, counts, issues.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge load get LOAD_ID', 'selvedge load get LOAD_ID --json'))
    .action(async (id: string, _flags: object, command: Command) => {
      printLoad(cli.output(command), await (await cli.client(command)).loads.get({ id }))
    })

  withPages(load.command('list'))
    .description('List loads, the newest first.')
    .addHelpText('after', examples('selvedge load list', 'selvedge load list --limit 5'))
    .action(async (flags: PageFlags, command: Command) => {
      const order = { orderField: 'createdOn', order: 'desc' } as const
      const client = await cli.client(command)
      const read = (place: Place) => client.loads.list({ queryParams: { order, ...place } })
      await printPages(cli, command, flags, { columns, read })
    })

  load
    .command('revert')
    .description('Take a load back: what it created, changed and removed is as before. What others did since stays.')
    .argument('<id>')
    .option('--dry-run', 'write nothing and tell what would be done')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText('after', examples('selvedge load revert LOAD_ID --dry-run', 'selvedge load revert LOAD_ID'))
    .action(async (id: string, flags: { dryRun?: boolean; wait: boolean }, command: Command) => {
      const started = await (await cli.client(command)).reverts.startForLoad({ id, dryRun: flags.dryRun })
      if (flags.wait) return watchRevert(cli, command, started.id)
      cli.output(command).result(started, () => [started.id])
    })

  load
    .command('cancel')
    .description('Cancel a load. What it has committed stays.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge load cancel LOAD_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const cancelled = await (await cli.client(command)).loads.cancel({ id })
      cli.output(command).result(cancelled, () => [`The load ${id} is ${cancelled.status}.`])
    })
}

function withLoadOptions(command: Command): Command {
  return command
    .option('--dry-run', 'do everything but the writes and tell what would be written')
    .option('--mode <mode>', 'upsert, create or update')
    .option('--name <name>', 'a name for this load')
    .option('--configuration-id <id>', 'id of an uploaded configuration file; what the configuration says here wins')
    .option('--no-wait', 'do not wait for the end')
}

async function configurationOf(cli: Cli, config: string | undefined, flags: Flags): Promise<LoaderConfiguration> {
  if (config === undefined && flags.configurationId === undefined) {
    throw usage('The loader configuration is missing.', 'Name a JSON or YAML file, or give --configuration-id.')
  }
  const given: LoaderConfiguration = config === undefined ? {} : await objectFrom(cli.world, config)
  const { dryRun, name, mode, configurationId } = flags
  if (mode !== undefined && mode !== 'upsert' && mode !== 'create' && mode !== 'update') {
    throw usage(`--mode must be upsert, create or update, not ${JSON.stringify(mode)}.`, 'Correct the mode.')
  }
  return {
    ...given,
    ...(dryRun ? { dryRun } : {}),
    ...(name === undefined ? {} : { name }),
    ...(mode === undefined ? {} : { mode }),
    ...(configurationId === undefined ? {} : { loaderConfigurationId: configurationId }),
  }
}

/** Before a large file has gone up for nothing. */
async function refuseFaults(client: Client, config: LoaderConfiguration): Promise<void> {
  const faults = await client.loads.check({ config })
  if (faults.length === 0) return
  throw new Failure({
    what: 'The loader configuration is not valid. Nothing was uploaded.',
    why: 'The service would refuse it:',
    details: faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    todo: 'Correct the configuration and try again; the guide on loads has all of its properties.',
    data: { status: 400, errors: faults },
  })
}

async function startAndWatch(cli: Cli, command: Command, config: LoaderConfiguration, wait: boolean): Promise<void> {
  const started = await (await cli.client(command)).loads.start({ config })
  if (wait) return watch(cli, command, started.id)
  cli.output(command).result(started, () => [started.id])
  cli.output(command).note(`The load has started. Watch it with \`selvedge load watch ${started.id}\`.`)
}

async function watch(cli: Cli, command: Command, id: string): Promise<void> {
  const client = await cli.client(command)
  const output = cli.output(command)
  const progress = new Progress(cli.world, output.json)
  try {
    const options = { signal: cli.world.signal, maxRetries: PATIENT_RETRIES }
    const done = await client.loads.wait({ id, onProgress: process => show(progress, process), ...options })
    progress.end()
    printLoad(output, done)
  } catch (error) {
    progress.end()
    if (cli.world.signal.aborted) output.note(`The load goes on. Cancel it with \`selvedge load cancel ${id}\`.`)
    else if (isUnknownEnd(error)) output.note(`The load goes on. Watch it with \`selvedge load watch ${id}\`.`)
    if (!(error instanceof LoadError)) throw error
    if (output.json) output.result(error.process, () => [])
    throw loadFailure(output, error.process)
  } finally {
    progress.end()
  }
}

/** Neither has it ended, nor is it unknown: only the watching has failed. */
function isUnknownEnd(error: unknown): boolean {
  return !(error instanceof LoadError) && !(error instanceof ApiError && error.status === 404)
}

function show(progress: Progress, process: LoadProcess): void {
  if (process.status === 'failed' || process.status === 'cancelled') return
  const { phase, rowsDone, rowsTotal, percent, rowsPerSecond, secondsLeft } = process.progress
  const label = process.status === 'pending' ? 'Waiting' : `${phase.charAt(0).toUpperCase()}${phase.slice(1)}`
  progress.show({
    label,
    done: rowsDone,
    total: rowsTotal ?? undefined,
    unit: 'rows',
    share: percent / 100,
    perSecond: rowsPerSecond ?? undefined,
    secondsLeft,
  })
}
