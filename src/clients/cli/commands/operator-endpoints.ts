// Outbound endpoints of an organization (N41). Documents come from files or stdin, so that secrets stay out of the arguments.

import type { Command } from 'commander'
import type { Delivery, NewEndpoint } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { isRecord, objectFrom } from '../input.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['name', 'url', 'events', 'auth'].map(key => ({ key }))
const deliveryColumns = ['id', 'triggerKey', 'status', 'attempts', 'responseStatus', 'error', 'createdOn'].map(key => ({
  key,
}))

interface DeliveryFlags extends PageFlags {
  status?: Delivery['status']
}

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
      const page = await (await cli.operator(command)).endpoints.list({ slug })
      cli.output(command).table(
        page,
        columns,
        page.results.map(each => ({ ...each })),
      )
    })
  endpoints
    .command('get')
    .description('Show an endpoint; secrets are masked.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .addHelpText('after', examples('selvedge operator endpoints get demo erp'))
    .action(async (slug: string, name: string, _flags: object, command: Command) => {
      cli.output(command).fields({ ...(await (await cli.operator(command)).endpoints.get({ slug, name })) })
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
      cli.output(command).fields({ ...(await (await cli.operator(command)).endpoints.set({ slug, name, endpoint })) })
    })
  endpoints
    .command('delete')
    .description('Delete an endpoint.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .addHelpText('after', examples('selvedge operator endpoints delete demo erp'))
    .action(async (slug: string, name: string, _flags: object, command: Command) => {
      await (await cli.operator(command)).endpoints.delete({ slug, name })
      cli.output(command).note(`The endpoint ${name} is deleted.`)
    })

  withPages(endpoints.command('deliveries'))
    .description('List what was delivered to an endpoint, newest first.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .option('--status <status>', 'pending, delivered or failed')
    .addHelpText('after', examples('selvedge operator endpoints deliveries demo erp --status failed'))
    .action(async (slug: string, name: string, flags: DeliveryFlags, command: Command) => {
      const client = await cli.operator(command)
      await printPages(cli, command, flags, {
        columns: deliveryColumns,
        read: place => client.endpoints.deliveries({ slug, name, status: flags.status, ...place }),
      })
    })
  endpoints
    .command('resend')
    .description('Deliver once more, with the same webhook-id.')
    .argument('<org>', 'slug')
    .argument('<name>')
    .argument('<deliveryId>')
    .addHelpText('after', examples('selvedge operator endpoints resend demo erp DELIVERY_ID'))
    .action(async (slug: string, name: string, id: string, _flags: object, command: Command) => {
      const sent = await (await cli.operator(command)).endpoints.resend({ slug, name, id })
      cli.output(command).result(sent, () => [`The delivery ${id} is ${sent.status}.`])
    })
}

function endpointOf(document: Record<string, unknown>): NewEndpoint {
  const { url, auth } = document
  if (typeof url === 'string' && isRecord(auth)) return { ...document, url, auth: auth as NewEndpoint['auth'] }
  const todo =
    'Write a document such as {"url": "https://…", "events": ["item|*"], "auth": {"kind": "hmac", "secret": "whsec_…"}}.'
  throw usage('The endpoint needs url and auth.', todo)
}
