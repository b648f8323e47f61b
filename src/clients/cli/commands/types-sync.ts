// Types as code: the types of the organization in a folder of files, and back, after a look at what that would do (N54).

import type { Command } from 'commander'
import type { Client, TypeCheck } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { Failure } from '../failure.ts'
import { wholeNumber } from '../input.ts'
import type { Column } from '../table.ts'
import type { Output } from '../terminal.ts'
import { readFolder, type TypeFile, writeFolder } from '../types-folder.ts'
import { planOf, type StoredType, type TypesPlan } from '../types-plan.ts'

interface PushFlags {
  dir: string
  dryRun?: boolean
  allowUnfit?: boolean
  look: string
}

const changeColumns: Column[] = [
  { key: 'action' },
  { key: 'typePath', title: 'type path', isWhole: true },
  { key: 'what', isWrapped: true },
]
const unfitColumns: Column[] = [
  { key: 'entity', isWhole: true },
  { key: 'typePath', title: 'type path', isWhole: true },
  { key: 'name' },
  { key: 'errors', isWrapped: true },
]

/** As many as one batch takes. */
const BATCH = 1000

export function addSync(types: Command, cli: Cli): void {
  types
    .command('pull')
    .description('Write the types of the organization into a folder, a YAML file each, to be kept in git.')
    .requiredOption('--dir <folder>', 'where they go; files of types that are gone are removed')
    .addHelpText('after', examples('selvedge types pull --dir types'))
    .action(async ({ dir }: { dir: string }, command: Command) => {
      const output = cli.output(command)
      const { written, removed } = await writeFolder(dir, await storedTypes(await cli.client(command)))
      output.result({ written, removed }, () => [
        ...written.map(name => `written\t${name}`),
        ...removed.map(name => `removed\t${name}`),
      ])
      if (written.length + removed.length === 0) output.note(`${dir} is up to date.`)
    })

  types
    .command('push')
    .description(
      'Make the types of the organization those of the folder, after showing what that does. Properties that a file no longer has are archived; types without a file are left alone.',
    )
    .requiredOption('--dir <folder>', 'the folder that `types pull` has written')
    .option('--dry-run', 'only show it')
    .option('--allow-unfit', 'also where stored entities would no longer fit; they stay as they are')
    .option('--look <number>', 'how many stored entities to look at, at most', '100000')
    .addHelpText('after', examples('selvedge types push --dir types --dry-run', 'selvedge types push --dir types'))
    .action(async (flags: PushFlags, command: Command) => {
      const output = cli.output(command)
      const files = await readFolder(flags.dir)
      const client = await cli.client(command)
      const plan = planOf(files, await storedTypes(client))
      const fit = await fitOf(client, plan, wholeNumber('--look', flags.look))
      show(output, plan, fit)
      const isAllowed = flags.dryRun || flags.allowUnfit || fit.unfit === 0
      if (!isAllowed) throw unfit(fit)
      if (!flags.dryRun) await apply(client, plan, output)
    })
}

/** What each type says itself, without what it inherits. */
async function storedTypes(client: Client): Promise<StoredType[]> {
  const types: StoredType[] = []
  let nextPageKey: string | null = null
  do {
    const page = await client.types.list({ queryParams: { limit: BATCH, nextPageKey } })
    for (const { id, typePath, label, properties } of page.results) {
      const own = properties.filter(({ inheritedFrom }) => inheritedFrom == null)
      types.push({ id, typePath, label: label ?? null, properties: own })
    }
    nextPageKey = page.nextPageKey
  } while (nextPageKey !== null)
  return types.sort((a, b) => (a.typePath < b.typePath ? -1 : 1))
}

type Fit = Pick<TypeCheck, 'checked' | 'unfit' | 'examples'> & { isWhole: boolean }

/** Asks the service, part by part: it knows best what fits. */
async function fitOf(client: Client, plan: TypesPlan, most: number): Promise<Fit> {
  const types = [...plan.creates, ...plan.updates].map(({ typePath, label, properties }) => ({
    typePath,
    label,
    properties,
  }))
  const fit: Fit = { checked: 0, unfit: 0, examples: [], isWhole: true }
  if (types.length === 0) return fit
  let nextPageKey: string | undefined
  do {
    const part: TypeCheck = await client.types.check({ types, nextPageKey })
    fit.checked += part.checked
    fit.unfit += part.unfit
    if (fit.examples.length === 0) fit.examples = part.examples
    nextPageKey = part.nextPageKey ?? undefined
  } while (nextPageKey !== undefined && fit.checked < most)
  return { ...fit, isWhole: nextPageKey === undefined }
}

function show(output: Output, plan: TypesPlan, fit: Fit): void {
  const rows = plan.changes.map(change => ({ ...change, what: change.what.join(', ') }))
  const isNothing = plan.creates.length + plan.updates.length === 0
  output.table({ changes: plan.changes, entities: fit }, changeColumns, rows)
  if (isNothing) output.note('The types are those of the folder already.')
  else output.note(`${fit.isWhole ? '' : 'At least '}${fit.unfit} of ${fit.checked} entities would no longer fit.`)
  if (fit.examples.length === 0 || output.json) return
  output.noteTable(
    unfitColumns,
    fit.examples.map(({ entityType, id, errors, ...rest }) => ({
      ...rest,
      entity: `${entityType}:${id}`,
      errors: errors.map(({ path, message }) => `${path}: ${message}`).join(' '),
    })),
  )
}

const unfit = (fit: Fit) =>
  new Failure({
    what: 'Nothing was changed.',
    why: `${fit.unfit} stored entities would no longer fit their types.`,
    todo: 'Change them first, or add --allow-unfit: they stay as they are until somebody writes them.',
  })

/** New types first, since those below them may need nothing else; a repeat completes what was interrupted. */
async function apply(client: Client, { creates, updates }: TypesPlan, output: Output): Promise<void> {
  const wire = ({ typePath, label, properties }: TypeFile) => ({ typePath, label, properties })
  for (let at = 0; at < creates.length; at += BATCH) {
    await client.entities.createBatch({ entityName: 'type', objects: creates.slice(at, at + BATCH).map(wire) })
  }
  for (let at = 0; at < updates.length; at += BATCH) {
    const objects = updates.slice(at, at + BATCH).map(type => ({ id: type.id, ...wire(type) }))
    await client.entities.updateBatch({ entityName: 'type', objects })
  }
  if (creates.length + updates.length > 0) {
    output.note(`Created ${creates.length} and changed ${updates.length} types.`)
  }
}
