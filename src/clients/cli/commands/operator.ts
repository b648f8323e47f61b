// The operator's commands (N12). The operator key comes from SELVEDGE_OPERATOR_KEY or a prompt and is kept nowhere.

import type { Command } from 'commander'
import type { Endpoint, Scope } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { objectFrom, wholeNumber } from '../input.ts'
import { askSecret } from '../prompt.ts'
import { addOrgs } from './operator-orgs.ts'

const keyColumns = ['id', 'name', 'prefix', 'scope', 'tier', 'lastUsedOn', 'expiresOn', 'revokedOn'].map(key => ({
  key,
}))
const endpointColumns = ['name', 'url', 'events', 'auth'].map(key => ({ key }))

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

  const keys = group(operator, 'keys', 'App keys of an organization.', 'selvedge operator keys list demo')
  keys
    .command('list')
    .description('List the keys of an organization.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator keys list demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      const page = await (await cli.operator(command)).listKeys({ slug })
      cli.output(command).table(page, keyColumns, page.results)
    })
  keys
    .command('create')
    .description('Make an app key and print it, this once.')
    .argument('<org>', 'slug')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--scope <scope>', 'read or write', 'write')
    .option('--tier <tier>', 'standard, high or internal')
    .option('--expires-on <time>', 'when it ends')
    .addHelpText('after', examples('selvedge operator keys create demo --name erp --tier high'))
    .action(
      async (
        slug: string,
        flags: { name: string; scope: Scope; tier?: string; expiresOn?: string },
        command: Command,
      ) => {
        const issued = await (await cli.operator(command)).createKey({ slug, ...flagsOf(flags) })
        cli.output(command).result(issued, () => [issued.key])
        cli.output(command).note(`The key ${issued.name} (${issued.id}) is shown this once.`)
      },
    )
  keys
    .command('revoke')
    .description('Revoke a key of an organization.')
    .argument('<org>', 'slug')
    .argument('<id>')
    .addHelpText('after', examples('selvedge operator keys revoke demo KEY_ID'))
    .action(async (slug: string, id: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).deleteKey({ slug, id })
      cli.output(command).note(`The key ${id} is revoked.`)
    })

  operator
    .command('token')
    .description('Issue an access token and print it, this once.')
    .argument('<org>', 'slug')
    .requiredOption('--name <name>', 'what the token is for')
    .option('--ttl-seconds <seconds>', 'how long it is good')
    .addHelpText('after', examples('selvedge operator token demo --name callback --ttl-seconds 86400'))
    .action(async (slug: string, flags: { name: string; ttlSeconds?: string }, command: Command) => {
      const { name, ttlSeconds: text } = flags
      const ttlSeconds = text === undefined ? undefined : wholeNumber('--ttl-seconds', text)
      const issued = await (await cli.operator(command)).createToken({ slug, name, ttlSeconds })
      cli.output(command).result(issued, () => [issued.accessToken])
      cli.output(command).note(`The token is shown this once; it ends on ${issued.expiresOn}.`)
    })

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
    .addHelpText(
      'after',
      examples('selvedge operator identity-provider demo --issuer https://login.example.com --client-id selvedge'),
    )
    .action(async (slug: string, flags: { issuer: string; clientId: string }, command: Command) => {
      const client = await cli.operator(command)
      const variable = 'SELVEDGE_CLIENT_SECRET'
      const clientSecret = cli.world.env[variable] || (await askSecret(cli.world, 'Client secret', variable))
      cli.output(command).fields(await client.setIdentityProvider({ slug, ...flags, clientSecret }))
    })

  const endpoints = group(
    operator,
    'endpoints',
    'Outbound endpoints of an organization.',
    'selvedge operator endpoints set demo erp endpoint.json',
  )
  endpoints
    .command('list')
    .description('List the endpoints; secrets are masked.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator endpoints list demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      const page = await (await cli.operator(command)).listEndpoints({ slug })
      cli.output(command).table(page, endpointColumns, page.results)
    })
  endpoints
    .command('get')
    .description('Show an endpoint; secrets are masked.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .addHelpText('after', examples('selvedge operator endpoints get demo erp'))
    .action(async (slug: string, name: string, _flags: object, command: Command) => {
      cli.output(command).fields(await (await cli.operator(command)).getEndpoint({ slug, name }))
    })
  endpoints
    .command('set')
    .description('Create or replace an endpoint from a document {url, events, auth}.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .argument('<document>', 'a JSON or YAML file, or - for stdin, so that secrets stay out of the arguments')
    .addHelpText(
      'after',
      examples(
        'selvedge operator endpoints set demo erp endpoint.yaml',
        'pass show erp | selvedge operator endpoints set demo erp -',
      ),
    )
    .action(async (slug: string, name: string, document: string, _flags: object, command: Command) => {
      const endpoint = endpointOf(await objectFrom(cli.world, document))
      cli.output(command).fields(await (await cli.operator(command)).setEndpoint({ slug, name, endpoint }))
    })
  endpoints
    .command('delete')
    .description('Delete an endpoint.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .addHelpText('after', examples('selvedge operator endpoints delete demo erp'))
    .action(async (slug: string, name: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).deleteEndpoint({ slug, name })
      cli.output(command).note(`The endpoint ${name} is deleted.`)
    })
}

function group(parent: Command, name: string, description: string, example: string): Command {
  return parent.command(name).description(description).addHelpText('after', examples(example))
}

function flagsOf(flags: { name: string; scope: Scope; tier?: string; expiresOn?: string }) {
  const { name, scope, tier, expiresOn } = flags
  return { name, scope, tier, expiresOn }
}

function endpointOf(document: Record<string, unknown>): Endpoint {
  const { url } = document
  if (typeof url === 'string') return { ...document, url }
  throw usage('The endpoint has no url.', 'Write a document such as {"url": "https://…", "events": [], "auth": {…}}.')
}
