// API keys. A key is printed once, on stdout and alone, so that it can be piped into a secret store.

import type { Command } from 'commander'
import type { IssuedKey, Scope } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { connectionOf } from '../connection.ts'
import { wholeNumber } from '../input.ts'
import { readProfiles, writeProfiles } from '../profiles.ts'
import type { Output } from '../terminal.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['id', 'kind', 'name', 'start', 'scope', 'tier', 'lastUsedOn', 'expiresOn', 'revokedOn'].map(key => ({
  key,
}))

interface NewKeyFlags {
  name?: string
  scope?: Scope
  expiresOn?: string
  saveAs?: string
  user?: boolean
}

export function addKeys(program: Command, cli: Cli): void {
  const create = async (flags: NewKeyFlags, command: Command) => {
    const { scope, expiresOn, saveAs } = flags
    const name = flags.name ?? `selvedge on ${cli.world.hostName}`
    const kind = flags.user ? 'user' : 'app'
    const issued = await cli.person(command, client => client.keys.create({ name, kind, scope, expiresOn }))
    await printOnce(cli, command, issued, saveAs)
  }
  withNewKeyOptions(program.command('getApiKey'))
    .description('Make an app key (app:…) and print it, this once. Sign in with --email or --sso for it, as an admin.')
    .addHelpText(
      'after',
      examples('selvedge getApiKey --name ci --scope read', 'selvedge getApiKey --name laptop --save-as demo-key'),
    )
    .action(create)

  const keys = program
    .command('keys')
    .description('List, make, rotate and revoke API keys.')
    .addHelpText('after', examples('selvedge keys list', 'selvedge keys rotate KEY_ID --overlap-seconds 3600'))

  withPages(keys.command('list'))
    .description('List the keys you may see. The keys themselves are never shown again.')
    .addHelpText('after', examples('selvedge keys list', 'selvedge keys list --json'))
    .action(async (flags: PageFlags, command: Command) => {
      await cli.person(command, client =>
        printPages(cli, command, flags, { columns, read: place => client.keys.list(place) }),
      )
    })

  withNewKeyOptions(keys.command('create'))
    .description('The same as getApiKey.')
    .addHelpText('after', examples('selvedge keys create --name ci --scope read'))
    .action(create)

  keys
    .command('rotate')
    .description('Make a new key in place of an old one, which keeps working for a while.')
    .argument('<id>')
    .option('--overlap-seconds <seconds>', 'how long the old key keeps working')
    .addHelpText('after', examples('selvedge keys rotate KEY_ID --overlap-seconds 3600'))
    .action(async (id: string, flags: { overlapSeconds?: string }, command: Command) => {
      const overlap = flags.overlapSeconds
      const overlapSeconds = overlap === undefined ? undefined : wholeNumber('--overlap-seconds', overlap, 0)
      const issued = await cli.person(command, client => client.keys.rotate({ id, overlapSeconds }))
      await printOnce(cli, command, issued, undefined)
    })

  keys
    .command('revoke')
    .description('Revoke a key for good.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge keys revoke KEY_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      await cli.person(command, client => client.keys.delete({ id }))
      cli.output(command).note(`The key ${id} is revoked.`)
    })
}

function withNewKeyOptions(command: Command): Command {
  return command
    .option('--name <name>', 'what the key is for (default: this machine)')
    .option('--scope <scope>', 'read or write', 'write')
    .option('--expires-on <time>', 'when it ends, for example 2027-01-01T00:00:00Z')
    .option('--user', 'a key of your own (user:…) instead of an app key')
    .option('--save-as <profile>', 'keep it as a profile, too')
}

async function printOnce(cli: Cli, command: Command, issued: IssuedKey, saveAs: string | undefined): Promise<void> {
  const output: Output = cli.output(command)
  output.result(issued, () => [issued.key])
  output.note(`The key ${issued.name} (${issued.id}) is shown this once. Keep it out of source control.`)
  if (saveAs === undefined) return
  const { baseUrl, orgSlug } = await connectionOf(cli.world, cli.options(command))
  const file = await readProfiles(cli.world)
  const profiles = { ...file.profiles, [saveAs]: { baseUrl, orgSlug, apiKey: issued.key } }
  await writeProfiles(cli.world, { ...file, profiles })
  output.note(`It is kept as the profile ${saveAs}.`)
}
