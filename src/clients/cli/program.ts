// The whole command on one screen: its global options, its groups in the order of the help, its exit codes.

import { Command, CommanderError } from 'commander'
import { Cli, examples } from './cli.ts'
import { addAssortments } from './commands/assortments.ts'
import { addAudit } from './commands/audit.ts'
import { addChanges } from './commands/changes.ts'
import { addCompletion } from './commands/completion.ts'
import { addEntities } from './commands/entities.ts'
import { addFiles } from './commands/files.ts'
import { addKeys } from './commands/keys.ts'
import { addListen } from './commands/listen.ts'
import { addLoad } from './commands/load.ts'
import { addLogin } from './commands/login.ts'
import { addOperator } from './commands/operator.ts'
import { addProfiles } from './commands/profiles.ts'
import { addSearch } from './commands/search.ts'
import { addTasks } from './commands/tasks.ts'
import { addTrigger } from './commands/trigger.ts'
import { addTypes } from './commands/types.ts'
import { addUndo } from './commands/undo.ts'
import { addUsers } from './commands/users.ts'
import { addWorkflows } from './commands/workflows.ts'
import { EXIT_INTERRUPTED, EXIT_USAGE, Failure, usage } from './failure.ts'
import { OutputLost } from './sink.ts'
import { hasColor, paintFor } from './style.ts'
import { Output, SCREEN_WIDTH, type World } from './terminal.ts'
import { version } from './version.ts'

/** Commander takes the colors off again where the screen has none. */
const styleTitle = (title: string) => paintFor({ isTTY: true }, {})('title', title)

/** In the order of the help. */
const GROUPS: Readonly<Record<string, readonly ((program: Command, cli: Cli) => void)[]>> = {
  'Sign in:': [addLogin, addProfiles, addKeys],
  'Product data:': [addEntities, addSearch, addTypes, addAssortments],
  'Files and loads:': [addFiles, addLoad],
  'History and events:': [addChanges, addUndo, addListen, addTrigger],
  'Workflows:': [addWorkflows, addTasks],
  'Organization:': [addUsers, addAudit],
  'Deployment:': [addOperator],
  'This command:': [addCompletion],
}

export function programFor(world: World, cli = new Cli(world)): Command {
  const program = new Command('selvedge')
    .description('Product data from the command line.')
    .version(version, '--version', 'print the version')
    .option('--profile <name>', 'use this profile instead of the current one (also SELVEDGE_PROFILE)')
    .option('--json', 'print JSON for programs instead of tables for people')
    .configureHelp({ showGlobalOptions: true, styleTitle })
    .showSuggestionAfterError()
    .addHelpText('after', introduction)
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading)
    for (const add of commands) add(program, cli)
  }
  return settle(program, world)
}

const introduction = `${examples(
  'selvedge login --base-url https://selvedge.example.com --org demo --email me@example.com',
  'selvedge entities list item --where status=active --limit 20',
  'selvedge load upload-and-load styles.csv loader.yaml --dry-run',
  'selvedge changes --follow --entity-type item',
)}
Environment:
  SELVEDGE_API_KEY, SELVEDGE_ORG, SELVEDGE_BASE_URL   a key instead of a profile
  API_KEY, ORG_SLUG, BASE_URL                         the same as a local start prints them, without a login
  SELVEDGE_PROFILE, SELVEDGE_PASSWORD                 the profile; the password of \`login\`
  SELVEDGE_OPERATOR_KEY                               the key of \`operator\`
  NO_COLOR                                            no colors

Exit codes: 0 done, 1 failed, 2 wrong usage, 4 not signed in, 130 interrupted.
`

/** Every command, however deep, throws instead of leaving the process, and says nothing by itself. */
function settle(command: Command, world: World): Command {
  command.exitOverride().configureOutput({
    writeOut: text => world.stdout.write(text),
    writeErr: text => world.stderr.write(text),
    outputError: () => {},
    getOutHelpWidth: () => world.stdout.columns ?? SCREEN_WIDTH,
    getErrHelpWidth: () => world.stderr.columns ?? SCREEN_WIDTH,
    getOutHasColors: () => hasColor(world.stdout, world.env),
    getErrHasColors: () => hasColor(world.stderr, world.env),
  })
  for (const each of command.commands) settle(each, world)
  return command
}

/** Runs one command line and gives the exit code. `words` are those after the command's own name. */
export async function run(words: readonly string[], world: World): Promise<number> {
  const { stdout, stderr, signal } = world
  // There is nowhere to say that nothing can be said.
  stderr.on('error', () => {})
  const code = await codeOf(words, world)
  // What is still on its way goes out by itself, unless it cannot; then `lost` says why.
  await stdout.taken(signal).catch(() => {})
  if (stdout.lost === undefined || stdout.isClosed) return code
  const what = 'The output could not be written.'
  const todo = 'Write it to where there is room. Whatever the command was to change is changed.'
  const failed = new Output(world, words.includes('--json')).failure(
    new Failure({ what, why: stdout.lost.message, todo }),
  )
  return code === 0 ? failed : code
}

async function codeOf(words: readonly string[], world: World): Promise<number> {
  const cli = new Cli(world)
  const program = programFor(world, cli)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    const output = new Output(world, words.includes('--json'))
    if (error instanceof OutputLost) return 0
    if (error instanceof CommanderError) return usageCode(error, output)
    if (world.signal.aborted || (error instanceof Error && error.name === 'AbortError')) {
      output.note('Interrupted.')
      return EXIT_INTERRUPTED
    }
    return output.failure(error)
  } finally {
    await cli.bookmarks.save()
  }
}

function usageCode(error: CommanderError, output: Output): number {
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help') return EXIT_USAGE
  const [what = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const hint = more.join(' ').replace(/[()]/g, '').trim()
  const todo = `${hint === '' ? '' : `${hint} `}Add --help to the command to see its options and examples.`
  return output.failure(
    usage(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`, todo, 'The command line cannot be understood.'),
  )
}
