// Events of an organization, forwarded to a program on one's own machine as an endpoint would get them.

import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { ApiError, type ChangeRecord, type Client, ENTITY_NAMES, type Entity } from '../../typescript/index.ts'
import { type Cli, examples, PATIENT_RETRIES } from '../cli.ts'
import { CHANGE_TYPES, changeEvent, isWanted, typeOf } from '../event.ts'
import { usage } from '../failure.ts'
import { collect, commaList, wholeNumber } from '../input.ts'
import { firstKey, storeKey, typedKey } from '../sync-file.ts'
import type { Output } from '../terminal.ts'
import {
  checkedSecret,
  checkedUrl,
  newSecret,
  rememberedTarget,
  rememberTarget,
  sendEvent,
  silenceOf,
  type Target,
} from '../webhook.ts'

/** What is not consumed when the command ends comes again: fewer a page, fewer again. */
const PAGE_SIZE = 50
const TRIES = 3
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

const columns = [
  { key: 'timestamp', title: 'time' },
  { key: 'type', title: 'event' },
  { key: 'entity', isWhole: true },
  { key: 'status' },
]

interface Flags {
  forwardTo: string
  events: string[]
  includeLoads?: boolean
  secret?: string
  after?: string
  interval: string
  syncFile?: string
}

export function addListen(program: Command, cli: Cli): void {
  program
    .command('listen')
    .description('Forward events to a program on your machine, signed as in production, until interrupted.')
    .requiredOption('--forward-to <url>', 'where the program takes them')
    .option('--events <list>', 'item|update, item|* or *; may stand several times', collect, [])
    .option('--include-loads', 'changes made by loads, too')
    .option('--secret <whsec>', 'sign with this (also SELVEDGE_WEBHOOK_SECRET); else one is made and kept')
    .option('--after <syncKey>', 'from this point on; "" for the beginning')
    .option('--interval <seconds>', 'how often it asks', '2')
    .option('--sync-file <path>', 'begin where the file says, without one at --after; keep the position in it')
    .addHelpText(
      'after',
      examples(
        'selvedge listen --forward-to http://localhost:3000/events',
        "selvedge listen --forward-to http://localhost:3000/events --events 'item|*' --sync-file position.txt",
      ),
    )
    .action((flags: Flags, command: Command) => listen(cli, flags, command))
}

async function listen(cli: Cli, flags: Flags, command: Command): Promise<void> {
  const { world } = cli
  const wanted = eventsOf(flags.events)
  const url = checkedUrl('--forward-to', flags.forwardTo)
  const intervalMs = wholeNumber('--interval', flags.interval) * 1000
  const given = flags.secret ?? (world.env.SELVEDGE_WEBHOOK_SECRET || undefined)
  const secret = given === undefined ? ((await rememberedTarget(world)).secret ?? newSecret()) : checkedSecret(given)
  const target = { url, secret }
  const client = await cli.client(command)
  const output = cli.output(command)
  const { syncFile } = flags
  const syncKey = await firstKey(syncFile, flags.after)
  await rememberTarget(world, target)
  output.note(`Forwarding ${wanted.join(', ')} to ${url}. Ctrl-C ends it.`)
  output.note(`The signing secret is ${secret}`)
  let last = syncKey
  const onSyncKey = async (reached: string) => {
    last = reached
    if (syncFile !== undefined) await storeKey(syncFile, reached)
  }
  const { signal } = world
  try {
    const options = { syncKey, onSyncKey, intervalMs, limit: PAGE_SIZE, signal, maxRetries: PATIENT_RETRIES }
    for await (const change of client.changes.poll(options)) {
      const isLoad = change.createdByType === 'loader'
      if (!isWanted(typeOf(change), wanted) || (isLoad && !flags.includeLoads)) continue
      await forward(client, target, change, output, signal)
    }
    throw signal.reason
  } finally {
    if (last !== undefined && syncFile === undefined) output.note(`Go on from here with --after ${typedKey(last)}`)
  }
}

function eventsOf(given: readonly string[]): string[] {
  const wanted = given.flatMap(text => commaList('--events', text))
  for (const event of wanted) {
    const [type = '', change = ''] = event.split('|')
    const isKnown = ENTITY_NAMES.some(name => name === type) && ['*', ...CHANGE_TYPES].includes(change)
    if (event === '*' || isKnown) continue
    throw usage(
      `There is no event ${JSON.stringify(event)} to listen to.`,
      "Give <entity type>|create, |update, |delete, '<entity type>|*' or '*'.",
    )
  }
  return wanted.length > 0 ? wanted : ['*']
}

async function forward(client: Client, target: Target, change: ChangeRecord, output: Output, signal: AbortSignal) {
  const event = await eventOf(client, change, signal)
  const status = await sent(target, change.id, event, output, signal)
  const { timestamp, type } = event
  const row = { timestamp, type, entity: change.entityReference, status: status ?? 'no answer' }
  await output.rows(columns, [row], [{ id: change.id, status, event }])
}

async function eventOf(client: Client, change: ChangeRecord, signal: AbortSignal) {
  const present = change.changeType === 'delete' ? undefined : await presentOf(client, change, signal)
  const history: ChangeRecord[] = []
  const criteria = { entityReference: change.entityReference }
  if (change.changeType === 'create') return changeEvent(change, present, history)
  for await (const record of client.changes.listAll({ criteria, limit: PAGE_SIZE, signal })) {
    history.push(record)
    // Of what is gone only its first record tells who made it.
    if (record.version < change.version && (present || record.changeType === 'create')) break
  }
  return changeEvent(change, present, history)
}

async function presentOf(client: Client, change: ChangeRecord, signal: AbortSignal): Promise<Entity | undefined> {
  const { entityType: entityName, entityReference } = change
  try {
    return await client.entities.get<Record<string, unknown>>({
      entityName,
      id: entityReference.slice(entityName.length + 1),
      signal,
    })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** A program that does not run yet is waited for; one that refuses or gives no answer, which is null, is asked a few times. */
async function sent(
  target: Target,
  id: string,
  event: Parameters<typeof sendEvent>[2],
  output: Output,
  signal: AbortSignal,
): Promise<number | null> {
  let isWaiting = false
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted()
    const answer = sendEvent(target, id, event, signal).then(status => ({ status, isNobody: false, why: '' }))
    const { status, isNobody, why } = await answer.catch(silenceOf)
    signal.throwIfAborted()
    if (status !== null && status >= 200 && status < 300) return status
    if (isNobody && !isWaiting) output.note(`Nothing answers at ${target.url}; waiting for it.`)
    if (status === null && !isNobody) output.note(`No answer from ${target.url}, ${tries} of ${TRIES}. ${why}`)
    if (!isNobody && tries++ === TRIES) return status
    isWaiting = isNobody
    await setTimeout(pauseMs, undefined, { signal })
  }
}
