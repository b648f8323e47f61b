// Workflow tasks: look, make a free-standing one, tell how far the job is, call back.

import type { Command } from 'commander'
import { type Cli, examples } from '../cli.ts'
import { usage } from '../failure.ts'
import { collect, objectFrom, wholeNumber } from '../input.ts'
import { type PageFlags, printPages, withPages } from './pages.ts'

const columns = ['id', 'name', 'status', 'subtext', 'processId', 'updatedOn'].map(key => ({ key }))

interface ListFlags extends PageFlags {
  status?: string
  process?: string
}

interface CallbackFlags {
  status: string
  log: string[]
  output?: string
  subtext?: string
}

export function addTasks(program: Command, cli: Cli): void {
  const tasks = program
    .command('tasks')
    .description('Workflow tasks: show, create, call back.')
    .addHelpText(
      'after',
      examples('selvedge tasks list --status awaiting', 'selvedge tasks callback TASK_ID --status SUCCESS'),
    )

  withPages(tasks.command('list'))
    .description('List tasks, the newest first.')
    .option('--status <status>', 'pending, active, awaiting, complete, failed, cancelled or skipped')
    .option('--process <id>', 'only tasks of this run')
    .addHelpText('after', examples('selvedge tasks list --status awaiting'))
    .action(async (flags: ListFlags, command: Command) => {
      const { status, process: processId } = flags
      const criteria = {
        ...(status === undefined ? {} : { status }),
        ...(processId === undefined ? {} : { processId }),
      }
      const order = { orderField: 'createdOn', order: 'desc' } as const
      const client = await cli.client(command)
      await printPages(cli, command, flags, {
        columns,
        read: place => client.tasks.list({ queryParams: { criteria, order, ...place } }),
      })
    })

  tasks
    .command('get')
    .description('Show a task with its logs and output.')
    .argument('<id>')
    .addHelpText('after', examples('selvedge tasks get TASK_ID'))
    .action(async (id: string, _flags: object, command: Command) => {
      const { logs, ...task } = await (await cli.client(command)).tasks.get({ id })
      const output = cli.output(command)
      output.fields(output.json ? { ...task, logs } : task)
      if (!output.json) output.note(['', ...(logs ?? [])].join('\n'))
    })

  tasks
    .command('create')
    .description('Make a free-standing task that waits for its callback.')
    .argument('<name>')
    .option('--timeout-seconds <seconds>', 'fail it when no callback came by then (default 7 days)')
    .addHelpText('after', examples('selvedge tasks create "try the integration" --timeout-seconds 600'))
    .action(async (name: string, flags: { timeoutSeconds?: string }, command: Command) => {
      const { timeoutSeconds: text } = flags
      const timeoutSeconds = text === undefined ? undefined : wholeNumber('--timeout-seconds', text)
      cli.output(command).fields(await (await cli.client(command)).tasks.create({ name, timeoutSeconds }))
    })

  tasks
    .command('subtext')
    .description('Set the short text on the state of the job, on the task and its run.')
    .argument('<id>')
    .argument('<text>')
    .addHelpText('after', examples('selvedge tasks subtext TASK_ID "120 of 400 images"'))
    .action(async (id: string, subtext: string, _flags: object, command: Command) => {
      cli.output(command).fields(await (await cli.client(command)).tasks.setSubtext({ id, subtext }))
    })

  tasks
    .command('callback')
    .description('Complete or fail a waiting task.')
    .argument('<taskId>')
    .requiredOption('--status <status>', 'SUCCESS or FAILURE')
    .option('--log <line>', 'a line for the log; may stand several times', collect, [])
    .option('--output <document>', 'output to merge: JSON or YAML, in its place, @file or -')
    .option('--subtext <text>', 'short text on the state of the job')
    .addHelpText(
      'after',
      examples(
        'selvedge tasks callback TASK_ID --status SUCCESS --log "400 images made" --output \'{"images": 400}\'',
        'selvedge tasks callback TASK_ID --status FAILURE --log "renderer is down"',
      ),
    )
    .action(async (taskId: string, flags: CallbackFlags, command: Command) => {
      const status = flags.status.toUpperCase()
      if (status !== 'SUCCESS' && status !== 'FAILURE') {
        throw usage(`--status must be SUCCESS or FAILURE, not ${JSON.stringify(flags.status)}.`, 'Correct the status.')
      }
      const task = await (await cli.client(command)).tasks.callback({
        taskId,
        status,
        subtext: flags.subtext,
        logs: flags.log.length === 0 ? undefined : flags.log,
        output: flags.output === undefined ? undefined : await objectFrom(cli.world, flags.output),
      })
      cli.output(command).result(task, () => [`The task ${taskId} is ${task.status}.`])
    })
}
