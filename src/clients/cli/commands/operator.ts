// The operator's commands (N12). The operator key comes from SELVEDGE_OPERATOR_KEY or a prompt and is kept nowhere.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { askSecret } from '../prompt.ts'
import { addEndpoints } from './operator-endpoints.ts'
import { addOperatorKeys } from './operator-keys.ts'
import { addOrgs } from './operator-orgs.ts'
import { auditColumns } from './users.ts'

export function addOperator(program: Command, cli: Cli): void {
  const operator = program
    .command('operator')
    .description('For the owner of the deployment: organizations, their keys, tokens, endpoints, sign-on.')
    .option('--base-url <url>', 'address of the service (also SELVEDGE_BASE_URL; default: that of the profile)')
    .addHelpText(
      'after',
      examples('selvedge operator orgs list', 'selvedge operator keys create demo --name erp --tier high'),
    )

  addOrgs(operator, cli)
  addOperatorKeys(operator, cli)
  addEndpoints(operator, cli)

  operator
    .command('password-reset')
    .description('Make a one-time link for a user who forgot the password.')
    .argument('<org>', 'slug')
    .argument('<email>')
    .addHelpText('after', examples('selvedge operator password-reset demo me@example.com'))
    .action(async (slug: string, email: string, _flags: object, command: Command) => {
      cli.output(command).fields(await (await cli.operator(command)).passwordReset({ slug, email }))
    })

  operator
    .command('tier')
    .description('Set the rate tier of an organization: standard, high or internal.')
    .argument('<org>', 'slug')
    .argument('<tier>')
    .addHelpText('after', examples('selvedge operator tier demo high'))
    .action(async (slug: string, tier: string, _flags: object, command: Command) => {
      cli.output(command).fields({ ...(await (await cli.operator(command)).setTier({ slug, tier })) })
    })

  operator
    .command('identity-provider')
    .description('Set the OpenID Connect provider of an organization; the client secret is asked for.')
    .argument('<org>', 'slug')
    .requiredOption('--issuer <url>')
    .requiredOption('--client-id <id>')
    .option('--allow-sign-up', 'a first sign-in makes a person a member who is not one yet')
    .addHelpText(
      'after',
      examples('selvedge operator identity-provider demo --issuer https://login.example.com --client-id selvedge'),
    )
    .action(
      async (slug: string, flags: { issuer: string; clientId: string; allowSignUp?: boolean }, command: Command) => {
        const client = await cli.operator(command)
        const variable = 'SELVEDGE_CLIENT_SECRET'
        const clientSecret = cli.world.env[variable] || (await askSecret(cli.world, 'Client secret', variable))
        cli.output(command).fields({ ...(await client.setIdentityProvider({ slug, ...flags, clientSecret })) })
      },
    )

  operator
    .command('audit')
    .description('Show sign-ins, keys, people and acts of the operator in an organization, newest first.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator audit demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      const page = await (await cli.operator(command)).audit({ slug })
      cli.output(command).table(
        page,
        auditColumns,
        page.results.map(each => ({ ...each })),
      )
    })
}
