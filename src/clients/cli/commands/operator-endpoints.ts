// Outbound endpoints of an organization (N41). Documents come from files or stdin, so that secrets stay out of the arguments.

import type { Command } from 'commander'
import type { Endpoint } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { objectFrom } from '../input.ts'

const columns = ['name', 'url', 'events', 'auth'].map(key => ({ key }))

export function addEndpoints(operator: Command, cli: Cli): void {
  const endpoints = operator
    .command('endpoints')
    .description('Outbound endpoints of an organization.')
    .addHelpText('after', examples('selvedge operator endpoints set demo erp endpoint.json'))

  endpoints
    .command('list')
    .description('List the endpoints; secrets are masked.')
    .argument('<org>', 'slug')
    .addHelpText('after', examples('selvedge operator endpoints list demo'))
    .action(async (slug: string, _flags: object, command: Command) => {
      const page = await (await cli.operator(command)).listEndpoints({ slug })
      cli.output(command).table(page, columns, page.results)
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

function endpointOf(document: Record<string, unknown>): Endpoint {
  const { url } = document
  if (typeof url === 'string') return { ...document, url }
  throw usage('The endpoint has no url.', 'Write a document such as {"url": "https://…", "events": [], "auth": {…}}.')
}
