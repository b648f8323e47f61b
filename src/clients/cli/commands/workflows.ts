// Workflows and their runs.

import type { Command } from 'commander'
import type { Client, WorkflowProcess } from '../../typescript/index.ts'
import { type Cli, examples, PATIENT_RETRIES } from '../cli.ts'
import { Failure } from '../failure.ts'
import { objectFrom } from '../input.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const workflowColumns = ['id', 'name', 'triggerKey', 'isActive', 'updatedOn'].map(key => ({ key }))
const runColumns = ['id', 'eventWorkflowId', 'status', 'subtext', 'startedOn', 'endedOn'].map(key => ({ key }))
const taskColumns = ['id', 'name', 'status', 'subtext'].map(key => ({ key }))
const newestFirst = { orderField: 'createdOn', order: 'desc' } as const

interface RunFlags extends PageFlags {
  workflow?: string
  status?: string
}

export function addWorkflows(program: Command, cli: Cli): void {
  const workflows = program
    .command('workflows')
    .description('Workflows: list, create, run, watch and cancel runs.')
    .addHelpText('after', examples('selvedge workflows list', 'selvedge workflows run nightly-sync --wait'))

  withPages(workflows.command('list'))
    .description('List workflows.')
    .addHelpText('after', examples('selvedge workflows list'))
    .action(async (flags: PageFlags, command: Command) => {
      const client = await cli.client(command)
      await printPages(cli, command, flags, {
        columns: workflowColumns,
        read: queryParams => client.entities.list({ entityName: 'event-workflow', queryParams }),
      })
    })

  workflows
    .command('get')
    .description('Show a workflow.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge workflows get WORKFLOW_ID --json'))
    .action(async (id: string, _flags: object, command: Command) => {
      cli.output(command).fields(await (await cli.client(command)).entities.get({ entityName: 'event-workflow', id }))
    })

  workflows
    .command('create')
    .description('Create a workflow from a document.')
    .argument('<document>', 'JSON or YAML: a file, in its place, or - for stdin')
    .addHelpText('after', examples('selvedge workflows create workflow.yaml'))
    .action(async (document: string, _flags: object, command: Command) => {
      const object = await objectFrom(cli.world, document)
      const client = await cli.client(command)
      cli.output(command).fields(await client.entities.create({ entityName: 'event-workflow', object }))
    })

  workflows
    .command('run')
    .description('Start every active workflow with this trigger key.')
    .argument('<triggerKey>')
    .option('--event <document>', 'the event: JSON or YAML, in its place, @file or -')
    .option('--wait', 'wait for the end of every run; exit 1 unless all are complete')
    .addHelpText(
      'after',
      examples(
        'selvedge workflows run nightly-sync',
        'selvedge workflows run price-check --event \'{"region": "eu"}\' --wait',
      ),
    )
    .action(async (triggerKey: string, flags: { event?: string; wait?: boolean }, command: Command) => {
      const event = flags.event === undefined ? {} : await objectFrom(cli.world, flags.event)
      const client = await cli.client(command)
      const output = cli.output(command)
      const started = await client.workflows.request({ triggerKey, event })
      if (started.results.length === 0) throw nothingStarted(triggerKey)
      if (!flags.wait) return output.table(started, runColumns, started.results)
      const results = await waitForAll(cli, client, started.results)
      output.table({ results }, runColumns, results)
      failUnlessComplete(results)
    })

  withPages(workflows.command('runs'))
    .description('List runs, the newest first.')
    .option('--workflow <id>', 'only runs of this workflow')
    .option('--status <status>', 'pending, active, awaiting, complete, failed or cancelled')
    .addHelpText('after', examples('selvedge workflows runs --status failed'))
    .action(async (flags: RunFlags, command: Command) => {
      const { workflow, status } = flags
      const criteria = {
        ...(workflow === undefined ? {} : { eventWorkflowId: workflow }),
        ...(status === undefined ? {} : { status }),
      }
      const client = await cli.client(command)
      const query = { criteria, order: newestFirst }
      await printPages(cli, command, flags, {
        columns: runColumns,
        read: place => client.workflows.listProcesses({ queryParams: { ...query, ...place } }),
      })
    })

  workflows
    .command('show')
    .description('Show a run and its tasks.')
    .argument('<runId>')
    .addHelpText('after', examples('selvedge workflows show RUN_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const client = await cli.client(command)
      const output = cli.output(command)
      const run = await client.workflows.getProcess({ id })
      const tasks = await client.tasks.list({ queryParams: { criteria: { processId: id }, limit: 1000 } })
      if (output.json) return output.result({ ...run, tasks: tasks.results }, () => [])
      output.fields(run)
      output.result(tasks, () => [''])
      output.table(tasks, taskColumns, tasks.results)
    })

  workflows
    .command('cancel')
    .description('Cancel a run.')
    .argument('<runId>')
    .addHelpText('after', examples('selvedge workflows cancel RUN_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const run = await (await cli.client(command)).workflows.cancelProcess({ id })
      cli.output(command).result(run, () => [`The run ${id} is ${run.status}.`])
    })
}

function nothingStarted(triggerKey: string): Failure {
  return new Failure({
    what: 'No run was started.',
    why: `No active workflow has the trigger key ${triggerKey}.`,
    todo: 'Look at the trigger keys with `selvedge workflows list`.',
  })
}

/** Where one cannot be waited for, none is. */
async function waitForAll(cli: Cli, client: Client, runs: readonly WorkflowProcess[]): Promise<WorkflowProcess[]> {
  const failure = new AbortController()
  const options = { signal: AbortSignal.any([cli.world.signal, failure.signal]), maxRetries: PATIENT_RETRIES }
  try {
    return await Promise.all(runs.map(({ id }) => client.workflows.wait({ id, ...options })))
  } finally {
    failure.abort()
  }
}

function failUnlessComplete(runs: readonly WorkflowProcess[]): void {
  const bad = runs.filter(each => each.status !== 'complete')
  const [first] = bad
  if (first === undefined) return
  throw new Failure({
    what: `${bad.length} of ${runs.length} runs did not complete.`,
    why: `The run ${first.id} is ${first.status}${first.subtext ? `: ${first.subtext}` : ''}.`,
    todo: `Look at its tasks with \`selvedge workflows show ${first.id}\`.`,
  })
}
