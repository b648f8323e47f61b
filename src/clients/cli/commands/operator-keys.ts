// App keys and access tokens of an organization. Each is printed once, on stdout and alone.

import type { Command } from 'commander'
import type { Scope } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { wholeNumber } from '../input.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['id', 'kind', 'name', 'start', 'scope', 'tier', 'lastUsedOn', 'expiresOn', 'revokedOn'].map(key => ({
  key,
}))

export function addOperatorKeys(operator: Command, cli: Cli): void {
  const keys = operator
    .command('keys')
    .description('App keys of an organization.')
    .addHelpText('after', examples('selvedge operator keys list demo'))

  withPages(keys.command('list'))
    .description('List the keys of an organization.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator keys list demo'))
    .action(async (slug: string, flags: PageFlags, command: Command) => {
      const operatorClient = await cli.operator(command)
      await printPages(cli, command, flags, { columns, read: place => operatorClient.listKeys({ slug, ...place }) })
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
        const issued = await (await cli.operator(command)).createKey({ slug, ...flags })
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

  const tokens = operator
    .command('tokens')
    .description('Access tokens of an organization, for the Authorization header.')
    .addHelpText('after', examples('selvedge operator tokens create demo --name callback'))

  withPages(tokens.command('list'))
    .description('List the access tokens of an organization.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator tokens list demo'))
    .action(async (slug: string, flags: PageFlags, command: Command) => {
      const operatorClient = await cli.operator(command)
      await printPages(cli, command, flags, { columns, read: place => operatorClient.listTokens({ slug, ...place }) })
    })
  tokens
    .command('create')
    .description('Issue an access token and print it, this once.')
    .argument('<org>', 'slug')
    .requiredOption('--name <name>', 'what the token is for')
    .option('--scope <scope>', 'read or write', 'write')
    .option('--ttl-seconds <seconds>', 'how long it is good')
    .addHelpText('after', examples('selvedge operator tokens create demo --name callback --ttl-seconds 86400'))
    .action(async (slug: string, flags: { name: string; scope: Scope; ttlSeconds?: string }, command: Command) => {
      const { name, scope, ttlSeconds: text } = flags
      const ttlSeconds = text === undefined ? undefined : wholeNumber('--ttl-seconds', text)
      const issued = await (await cli.operator(command)).createToken({ slug, name, scope, ttlSeconds })
      cli.output(command).result(issued, () => [issued.accessToken])
      cli.output(command).note(`The token ${name} (${issued.id}) is shown this once; it ends on ${issued.expiresOn}.`)
    })
  tokens
    .command('revoke')
    .description('Revoke an access token at once.')
    .argument('<org>', 'slug')
    .argument('<id>')
    .addHelpText('after', examples('selvedge operator tokens revoke demo TOKEN_ID'))
    .action(async (slug: string, id: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).deleteToken({ slug, id })
      cli.output(command).note(`The token ${id} is revoked.`)
    })
}
