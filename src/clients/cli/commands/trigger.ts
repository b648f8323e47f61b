// Makes up an event and sends it to a program, signed like those that `listen` forwards.

import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { ENTITY_NAMES } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { CHANGE_TYPES, madeUpEvent, PUBLISH } from '../event.ts'
import { Failure, usage } from '../failure.ts'
import { objectFrom } from '../input.ts'
import { checkedSecret, checkedUrl, newSecret, rememberedTarget, sendEvent, silenceOf } from '../webhook.ts'

interface Flags {
  to?: string
  data?: string
  secret?: string
}

export function addTrigger(program: Command, cli: Cli): void {
  program
    .command('trigger')
    .description('Make up an event and send it to a program; nothing is changed anywhere.')
    .argument('<event>', "for example 'item|update'")
    .option('--to <url>', 'where to send it (default: where `listen` forwards to)')
    .option('--data <document>', 'properties of its entity: JSON or YAML, in its place, @file or -')
    .option('--secret <whsec>', 'sign with this (also SELVEDGE_WEBHOOK_SECRET; default: that of `listen`)')
    .addHelpText(
      'after',
      examples(
        "selvedge trigger 'item|update' --to http://localhost:3000/events",
        'selvedge trigger \'item|create\' --data \'{"name": "Linen shirt", "season": "SS27"}\'',
        "selvedge trigger 'assortment|publish'",
      ),
    )
    .action((event: string, flags: Flags, command: Command) => trigger(cli, event, flags, command))
}

/** 16 characters, as the service makes them. */
const newId = () => `A${randomBytes(12).toString('base64url').slice(1)}`

async function trigger(cli: Cli, type: string, flags: Flags, command: Command): Promise<void> {
  const { world } = cli
  if (!isEvent(type)) {
    const todo = `Give <entity type>|create, |update, |delete or ${PUBLISH}, in quotes: the shell takes | for a pipe.`
    throw usage(`There is no event ${JSON.stringify(type)}.`, todo)
  }
  const remembered = await rememberedTarget(world)
  const to = flags.to ?? remembered.url
  if (to === undefined) throw usage('There is no address to send it to.', 'Give --to, or begin with `selvedge listen`.')
  const url = checkedUrl('--to', to)
  const given = flags.secret ?? (world.env.SELVEDGE_WEBHOOK_SECRET || undefined)
  const secret = given === undefined ? (remembered.secret ?? newSecret()) : checkedSecret(given)
  const data = flags.data === undefined ? {} : await objectFrom(world, flags.data)
  const event = madeUpEvent(type, data, { newId, now: new Date().toISOString() })
  const id = newId()
  const output = cli.output(command)
  output.note(`The signing secret is ${secret}`)
  const status = await sendEvent({ url, secret }, id, event, world.signal).catch(error => {
    world.signal.throwIfAborted()
    throw new Failure({
      what: `Nothing answers at ${url}.`,
      why: silenceOf(error).why,
      todo: 'Start the program first, or give another address with --to.',
    })
  })
  output.result({ id, status, event }, () => [`${url} answered ${status} to ${type}.`])
  if (status >= 200 && status < 300) return
  throw new Failure({
    what: `The program answered ${status}.`,
    why: 'Only 2xx is taken as delivered.',
    todo: 'See what the program says, and send it again.',
  })
}

function isEvent(event: string): boolean {
  const [type = '', change = '', ...more] = event.split('|')
  const isChange = ENTITY_NAMES.some(name => name === type) && CHANGE_TYPES.some(each => each === change)
  return event === PUBLISH || (isChange && more.length === 0)
}
