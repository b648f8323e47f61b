// Whole organizations into archives and back (N63).

import type { Command } from 'commander'
import { ArchiveError } from '../../../platform/formats/frames.ts'
import { ApiError } from '../../typescript/index.ts'
import { ArchiveFile, partOf } from '../backup/archive-file.ts'
import { bringBack, check } from '../backup/bring-back.ts'
import { underWayIn } from '../backup/bring-back-frames.ts'
import { passphraseIn } from '../backup/passphrase.ts'
import { takeAll } from '../backup/take.ts'
import { type Cli, examples } from '../cli.ts'
import { Failure, partsOf } from '../failure.ts'
import { Progress } from '../progress.ts'
import { contentOf, PRIVATE, writeContent } from '../whole-file.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

interface BackupFlags {
  out: string
  passphraseEnv?: string
}

interface RestoreFlags {
  slug?: string
  suspended?: boolean
  check?: boolean
  passphraseEnv?: string
}

const PASSPHRASE = ['--passphrase-env <name>', 'the variable that holds the passphrase of the archive'] as const

export function addBackup(operator: Command, cli: Cli): void {
  addBackups(operator, cli)
  operator
    .command('backup')
    .description('Take a whole organization into one archive. Run again, it goes on where it broke off.')
    .argument('<org>', 'slug')
    .requiredOption('-o, --out <file>', 'where to write it')
    .option(...PASSPHRASE)
    .addHelpText(
      'after',
      examples(
        'selvedge operator backup demo --out demo.selvedge --passphrase-env BACKUP_PASSPHRASE',
        'selvedge operator backup demo --out demo.selvedge',
      ),
    )
    .action((slug: string, flags: BackupFlags, command: Command) =>
      told(flags.out, () => backup(cli, slug, flags, command)),
    )

  operator
    .command('restore')
    .description('Bring an organization back from an archive. Run again, it goes on where it broke off.')
    .argument('<file>')
    .option('--slug <slug>', 'another name than it had')
    .option('--suspended', 'let nobody in and send nothing out before `orgs resume`: for drills')
    .option('--check', 'only read the archive and see whether it is whole')
    .option(...PASSPHRASE)
    .addHelpText(
      'after',
      examples(
        'selvedge operator restore demo.selvedge --passphrase-env BACKUP_PASSPHRASE',
        'selvedge operator restore demo.selvedge --slug demo-drill --suspended',
      ),
    )
    .action((file: string, flags: RestoreFlags, command: Command) =>
      told(file, () => restore(cli, file, flags, command)),
    )
  addRestores(operator, cli)
}

function addRestores(operator: Command, cli: Cli): void {
  const restores = operator
    .command('restores')
    .description('Restores under way.')
    .addHelpText('after', examples('selvedge operator restores get RESTORE_ID'))
  restores
    .command('get')
    .description('How far one is.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge operator restores get RESTORE_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const { backups } = await cli.operator(command)
      cli.output(command).fields({ ...(await backups.status({ id })) })
    })
  restores
    .command('abandon')
    .description('Give one up, with everything that was sent.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge operator restores abandon RESTORE_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const { backups } = await cli.operator(command)
      const { slug } = await backups.status({ id })
      await backups.abandon({ id })
      cli.output(command).note(`The restore of ${slug} is given up.`)
    })
}

const columns = ['organizationId', 'id', 'slug', 'bytes', 'begunOn', 'completedOn'].map(key => ({ key }))

function addBackups(operator: Command, cli: Cli): void {
  const backups = operator
    .command('backups')
    .description('Backups that the service has made by itself, every night.')
    .addHelpText('after', examples('selvedge operator backups list'))

  withPages(backups.command('list'))
    .description('List them.')
    .addHelpText('after', examples('selvedge operator backups list'))
    .action(async (flags: PageFlags, command: Command) => {
      const { backups: calls } = await cli.operator(command)
      await printPages(cli, command, flags, { columns, read: place => calls.list(place) })
    })
  backups
    .command('begin')
    .description('Save an organization now, in the background.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator backups begin demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).backups.beginBackup({ slug })
      cli.output(command).note(`${slug} is being saved; \`backups list\` shows it when it is whole.`)
    })
  backups
    .command('download')
    .description('Write one of them to a file that `restore` takes.')
    .argument('<organizationId>')
    .argument('<id>')
    .requiredOption('-o, --out <file>', 'where to write it')
    .addHelpText('after', examples('selvedge operator backups download ORGANIZATION_ID BACKUP_ID --out demo.selvedge'))
    .action(async (organizationId: string, id: string, flags: { out: string }, command: Command) => {
      const response = await (await cli.operator(command)).backups.download({ organizationId, id })
      await writeContent(cli.world, contentOf(response), flags.out, PRIVATE)
      cli.output(command).note(`Written to ${flags.out}.`)
    })
}

/** What is wrong with an archive, in the three parts of every failure. */
async function told(file: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    const todo =
      error.reason === 'passphrase'
        ? 'Give the passphrase that it was made with.'
        : 'Take another copy of it, or another backup.'
    throw new Failure({ what: error.message, why: `${file} cannot be used. Nothing was changed.`, todo })
  }
}

async function backup(cli: Cli, slug: string, flags: BackupFlags, command: Command): Promise<void> {
  const { world } = cli
  const passphrase = passphraseIn(world, flags.passphraseEnv)
  const client = await cli.operator(command)
  const output = cli.output(command)
  // That it is there, before anything is written.
  await client.getOrg({ slug })
  const about = { slug, createdOn: new Date().toISOString(), source: client.backups.baseUrl }
  const archive = await ArchiveFile.open(flags.out, about, passphrase)
  if (archive.progress.after !== undefined) output.note(`Going on with ${partOf(flags.out)}.`)
  const progress = new Progress(world, output.json)
  const show = () => progress.show({ label: 'Saving', done: archive.bytes, total: undefined, unit: 'bytes' })
  try {
    const secrets = passphrase === undefined ? 'without' : 'open'
    const taken = await takeAll({ operator: client, slug, archive, secrets, signal: world.signal, told: show })
    await archive.finish()
    progress.end()
    const { leftOut, gone, files } = taken
    output.result({ file: flags.out, bytes: archive.bytes, files, gone, leftOut }, () => [])
    output.note(`${slug} is saved in ${flags.out}: ${archive.bytes.toLocaleString('en')} bytes.`)
    if (leftOut.length) output.note(`Without a passphrase, these were left out: ${leftOut.join('; ')}.`)
    if (gone > 0) output.note(`Files deleted meanwhile: ${gone}.`)
  } catch (error) {
    await archive.close().catch(() => undefined)
    throw error
  } finally {
    progress.end()
  }
}

async function restore(cli: Cli, file: string, flags: RestoreFlags, command: Command): Promise<void> {
  const { world } = cli
  const passphrase = passphraseIn(world, flags.passphraseEnv)
  const output = cli.output(command)
  const checked = await check(file, passphrase)
  if (flags.check) return output.note(`${file} is whole: an archive of ${String(checked.end.slug)}.`)
  const operator = await cli.operator(command)
  const progress = new Progress(world, output.json)
  const show = (done: number) => progress.show({ label: 'Restoring', done, total: checked.frames, unit: 'rows' })
  const { slug, suspended } = flags
  const status = await bringBack({
    operator,
    file,
    passphrase,
    checked,
    slug,
    suspended,
    signal: world.signal,
    told: show,
  })
    .catch(error => {
      throw advised(error)
    })
    .finally(() => progress.end())
  output.result(status, () => [])
  output.note(`The organization ${status.slug} is back.`)
  const { passwords, endpoints, identityProvider } = status.leftOut
  if (endpoints.length) output.note(`Set the secrets of these endpoints anew: ${endpoints.join(', ')}.`)
  if (passwords > 0) output.note(`Members who need a password reset: ${passwords}.`)
  if (identityProvider) output.note('Set the identity provider anew.')
  if (status.isShifted) output.note('Pollers begin anew: syncKeys from before are answered with 410.')
}

/** What to do about a restore, or a name, that is in the way. */
function advised(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const id = underWayIn(error)
  if (id !== undefined) {
    const todo = `Go on with the archive that it was begun with, or give it up: selvedge operator restores abandon ${id}`
    return new Failure({ ...partsOf(error), todo })
  }
  const isNameTaken = error.errors.some(({ path }) => path === '/slug')
  return isNameTaken ? new Failure({ ...partsOf(error), todo: 'Run it again with --slug and another name.' }) : error
}
