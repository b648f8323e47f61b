// Organizations, as the operator sees them.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { wholeNumber } from '../input.ts'
import { ask, askSecret } from '../prompt.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = [
  'slug',
  'name',
  'tier',
  'createdOn',
  'suspendedOn',
  'historyRetentionDays',
  'historyArchiveDays',
  'database',
].map(key => ({
  key,
}))

interface CreateFlags {
  name?: string
  adminEmail: string
  tier?: string
  database?: string
}

export function addOrgs(operator: Command, cli: Cli): void {
  const orgs = operator
    .command('orgs')
    .description('Create, list, suspend, resume and delete organizations.')
    .addHelpText('after', examples('selvedge operator orgs create demo --name Demo --admin-email me@example.com'))

  withPages(orgs.command('list'))
    .description('List the organizations.')
    .addHelpText('after', examples('selvedge operator orgs list', 'selvedge operator orgs list --all --json'))
    .action(async (flags: PageFlags, command: Command) => {
      const operatorClient = await cli.operator(command)
      await printPages(cli, command, flags, { columns, read: place => operatorClient.listOrgs(place) })
    })

  orgs
    .command('create')
    .description('Create an organization with its first admin; the password is asked for (or SELVEDGE_PASSWORD).')
    .argument('<slug>')
    .option('--name <name>', 'name to show (default: the slug)')
    .requiredOption('--admin-email <email>')
    .option('--tier <tier>', 'standard, high or internal')
    .option('--database <name>', 'where its data goes (default: the emptiest, see `operator databases`)')
    .addHelpText('after', examples('selvedge operator orgs create demo --name Demo --admin-email me@example.com'))
    .action(async (slug: string, flags: CreateFlags, command: Command) => {
      const operatorClient = await cli.operator(command)
      const { SELVEDGE_PASSWORD } = cli.world.env
      const password = SELVEDGE_PASSWORD || (await askSecret(cli.world, 'Password of the admin', 'SELVEDGE_PASSWORD'))
      const admin = { email: flags.adminEmail, password }
      cli.output(command).fields(
        await operatorClient.createOrg({
          slug,
          name: flags.name ?? slug,
          tier: flags.tier,
          admin,
          database: flags.database,
        }),
      )
    })

  for (const [verb, suspended] of [
    ['suspend', true],
    ['resume', false],
  ] as const) {
    orgs
      .command(verb)
      .description(suspended ? 'Refuse every credential of an organization.' : 'Let it in again.')
      .argument('<slug>')
      .addHelpText('after', examples(`selvedge operator orgs ${verb} demo`))
      .action(async (slug: string, _flags: object, command: Command) => {
        const org = await (await cli.operator(command)).updateOrg({ slug, change: { suspended } })
        cli.output(command).fields(org)
      })
  }

  orgs
    .command('retention')
    .description('Set for how many days change history is kept.')
    .argument('<slug>')
    .argument('<days>', 'a number, or `ever`')
    .addHelpText(
      'after',
      examples('selvedge operator orgs retention demo 730', 'selvedge operator orgs retention demo ever'),
    )
    .action(async (slug: string, days: string, _flags: object, command: Command) => {
      const historyRetentionDays = days === 'ever' ? null : wholeNumber('The number of days', days)
      cli
        .output(command)
        .fields(await (await cli.operator(command)).updateOrg({ slug, change: { historyRetentionDays } }))
    })

  orgs
    .command('archive')
    .description('Set after how many days change records move into files. They are read from there as before.')
    .argument('<slug>')
    .argument('<days>', 'a number, or `never`')
    .addHelpText(
      'after',
      examples('selvedge operator orgs archive demo 180', 'selvedge operator orgs archive demo never'),
    )
    .action(async (slug: string, days: string, _flags: object, command: Command) => {
      const historyArchiveDays = days === 'never' ? null : wholeNumber('The number of days', days)
      cli
        .output(command)
        .fields(await (await cli.operator(command)).updateOrg({ slug, change: { historyArchiveDays } }))
    })

  orgs
    .command('rebuild-search')
    .description('Make the search index of an organization anew, in the background.')
    .argument('<slug>')
    .addHelpText('after', examples('selvedge operator orgs rebuild-search demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).rebuildSearchIndex({ slug })
      cli.output(command).note(`The search index of ${slug} is being made anew.`)
    })

  orgs
    .command('delete')
    .description(
      'Delete an organization with everything in it, for good. Back it up first: `selvedge operator backup`.',
    )
    .argument('<slug>')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('selvedge operator orgs delete demo', 'selvedge operator orgs delete demo --yes'))
    .action(async (slug: string, flags: { yes?: boolean }, command: Command) => {
      const operatorClient = await cli.operator(command)
      if (!flags.yes) {
        const typed = await ask(cli.world, `Type ${slug} to delete it with everything in it`, 'Give --yes.')
        if (typed !== slug) throw usage('Nothing was deleted.', 'Type the slug exactly.', 'The answer was another one.')
      }
      await operatorClient.deleteOrg({ slug })
      cli.output(command).note(`The organization ${slug} is deleted.`)
    })
}
