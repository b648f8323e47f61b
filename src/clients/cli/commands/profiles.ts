// The profiles that `login` keeps.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { type ProfileFile, profileNamed, readProfiles, withoutProfile, writeProfiles } from '../profiles.ts'

const columns = [
  { key: 'current', title: ' ' },
  { key: 'profile' },
  { key: 'organization' },
  { key: 'service' },
  { key: 'credential' },
  { key: 'expires' },
]

export function addProfiles(program: Command, cli: Cli): void {
  const profiles = program
    .command('profiles')
    .description('List, choose and remove profiles.')
    .addHelpText('after', examples('selvedge profiles list', 'selvedge profiles use production'))

  profiles
    .command('list')
    .description('List the profiles; the current one is marked.')
    .addHelpText('after', examples('selvedge profiles list'))
    .action(async (_flags: object, command: Command) => {
      const file = await readProfiles(cli.world)
      const rows = rowsOf(file)
      const results = rows.map(({ current, ...row }) => ({ ...row, current: current !== '' }))
      cli.output(command).table({ results }, columns, rows)
    })

  profiles
    .command('use')
    .description('Make a profile the current one.')
    .argument('<name>')
    .addHelpText('after', examples('selvedge profiles use production'))
    .action(async (name: string, _flags: object, command: Command) => {
      const file = await existing(cli, name)
      await writeProfiles(cli.world, { ...file, current: name })
      cli.output(command).note(`The current profile is ${name}.`)
    })

  profiles
    .command('remove')
    .description('Forget a profile. Its key or session stays valid: revoke it with `keys revoke` or `logout`.')
    .argument('<name>')
    .addHelpText('after', examples('selvedge profiles remove staging'))
    .action(async (name: string, _flags: object, command: Command) => {
      const file = await existing(cli, name)
      await writeProfiles(cli.world, withoutProfile(file, name))
      cli.output(command).note(`The profile ${name} is removed.`)
    })
}

async function existing(cli: Cli, name: string): Promise<ProfileFile> {
  const file = await readProfiles(cli.world)
  if (profileNamed(file, name) !== undefined) return file
  throw usage(
    `There is no profile ${JSON.stringify(name)}.`,
    'See `selvedge profiles list`.',
    'Nobody has signed in with it.',
  )
}

function rowsOf(file: ProfileFile) {
  return Object.entries(file.profiles).map(([name, profile]) => ({
    current: name === file.current ? '*' : '',
    profile: name,
    organization: profile.orgSlug,
    service: profile.baseUrl,
    credential: profile.apiKey === undefined ? (profile.email ?? 'token') : 'API key',
    expires: profile.expiresOn ?? '',
  }))
}
