// The operator's commands (N12). The operator key comes from SELVEDGE_OPERATOR_KEY or a prompt and is kept nowhere.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { askSecret } from '../prompt.ts'
import { addBackup } from './operator-backup.ts'
import { addEndpoints } from './operator-endpoints.ts'
import { addOperatorKeys } from './operator-keys.ts'
import { addMove } from './operator-move.ts'
import { addOrgs } from './operator-orgs.ts'
import { addStatus } from './operator-status.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'
import { auditColumns } from './users.ts'

const quotaColumns = ['quota', 'limit', 'used', 'isUsual'].map(key => ({ key }))

function quotasIn(sent: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    sent.map(text => {
      const [, name, value] = /^(\w+)=(\d+|usual)$/.exec(text) ?? []
      if (!name || !value) throw usage(`"${text}" is no quota.`, 'Write name=number, or name=usual.')
      return [name, value === 'usual' ? null : Number(value)]
    }),
  )
}

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
  addBackup(operator, cli)
  addStatus(operator, cli)
  addMove(operator, cli)

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
    .command('quotas')
    .description('Show what an organization may have, and has; name=number sets a quota, name=usual brings it back.')
    .argument('<org>', 'slug')
    .argument('[quotas...]', 'such as entities=10000000')
    .addHelpText('after', examples('selvedge operator quotas demo', 'selvedge operator quotas demo entities=10000000'))
    .action(async (slug: string, sent: string[], _flags: object, command: Command) => {
      const client = await cli.operator(command)
      const quotas = sent.length
        ? await client.setQuotas({ slug, quotas: quotasIn(sent) })
        : await client.quotas({ slug })
      const rows = Object.entries(quotas).map(([quota, { limit, isUsual, used }]) => ({ quota, limit, isUsual, used }))
      cli.output(command).table(quotas, quotaColumns, rows)
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

  withPages(operator.command('audit'))
    .description(
      'Show sign-ins, keys, people and acts of the operator in an organization, newest first; without one, acts that outlive it.',
    )
    .argument('[org]', 'slug')
    .addHelpText('after', examples('selvedge operator audit demo', 'selvedge operator audit'))
    .action(async (slug: string | undefined, flags: PageFlags, command: Command) => {
      const client = await cli.operator(command)
      await printPages(cli, command, flags, {
        columns: auditColumns,
        read: place => (slug === undefined ? client.ownAudit(place) : client.audit({ slug, ...place })),
      })
    })
}
