// `npm run deploy`: secrets → database → read replication → migrations → one upload → smoke test. Every step looks first, so that it
// can be repeated at any time; one that fails says its name. `-- --env staging`, `-- --dry-run`, `-- --migrate-only`, `-- --url https://…`,
// `-- --location weur`, `-- --jurisdiction eu`; what stands behind a second `--` goes on to `wrangler deploy`. src/guides/deploy.md says more.
import { ApiFailure, type Cloudflare, EmptyAccount, NotSignedIn, signIn } from './deploy/cloudflare.ts'
import { Interrupted } from './deploy/interruption.ts'
import { type Place, placeOf } from './deploy/place.ts'
import { VERSION } from './deploy/release.ts'
import { type Outlook, type Progress, SCHEMA_STEPS, STEPS, type Step } from './deploy/steps.ts'
import { type Target, targetOf } from './deploy/target.ts'
import { flagsOf, refuse } from './flags.ts'

const ENVIRONMENTS = ['production', 'staging']

const { values: flags, tokens } = flagsOf({
  allowPositionals: true,
  tokens: true,
  options: {
    env: { type: 'string', default: 'production' },
    'dry-run': { type: 'boolean', default: false },
    'migrate-only': { type: 'boolean', default: false },
    url: { type: 'string' },
    location: { type: 'string' },
    jurisdiction: { type: 'string' },
    /** Seconds that the smoke test waits for a new address to be known. */
    patience: { type: 'string', default: '120' },
  },
})

const behind = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY
const words = tokens.flatMap(token => (token.kind === 'positional' ? { text: token.value, at: token.index } : []))
const [stray] = words.filter(({ at }) => at < behind)
if (stray) refuse(`"${stray.text}" is no flag: a deploy takes flags alone, such as --env staging. Nothing was done.`)
const wranglerArguments = words.map(({ text }) => text)

const NAME_WIDTH = 11
const say = (name: string, text: string) => console.log(`${name.padEnd(NAME_WIDTH)} ${text}`)

class StepFailure extends Error {
  readonly step: string

  constructor(step: Pick<Step, 'name' | 'permission'>, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.step = step.name
    if (cause instanceof ApiFailure && cause.isRefusal) {
      this.message += `\nThe token is not allowed to do this. This step needs: ${step.permission}. src/guides/deploy.md lists all.`
    }
  }
}

async function named<Result>(
  step: Pick<Step, 'name' | 'permission'>,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotSignedIn) throw error
    throw new StepFailure(step, error)
  }
}

function patienceMs(seconds: string): number {
  if (/^\d+(\.\d+)?$/.test(seconds)) return Number(seconds) * 1000
  throw new Error(`--patience ${seconds} is no number of seconds, such as 120`)
}

async function run(account: Cloudflare, target: Target, place: Place): Promise<Progress> {
  const origin = flags.url?.replace(/\/+$/, '') ?? originOf(target.publicUrl)
  const progress: Progress = {
    databaseIds: new Map(),
    place,
    secrets: {},
    wranglerArguments,
    origin,
    patienceMs: patienceMs(flags.patience),
  }
  for (const step of flags['migrate-only'] ? SCHEMA_STEPS : STEPS) {
    const outlook: Outlook = await named(step, () => step.look(account, target, progress))
    if (!outlook.todo) {
      say(step.name, outlook.as ?? 'nothing to do')
      continue
    }
    say(step.name, flags['dry-run'] ? `would ${outlook.todo}` : `${outlook.todo} …`)
    if (flags['dry-run']) continue
    const told = await named(step, () => outlook.act?.())
    if (typeof told === 'string') say(step.name, told)
  }
  return progress
}

/** Why no account could be asked, where that is the fault. */
function unreached(error: unknown): string | undefined {
  if (error instanceof NotSignedIn) return 'you are not signed in'
  const { cause } = error as Error
  return cause instanceof ApiFailure && cause.isSilence ? 'Cloudflare cannot be reached' : undefined
}

/** The plan for an account that has nothing. An id in wrangler.toml names a database that cannot be looked at either. */
async function planUnseen(why: string, target: Target, place: Place): Promise<void> {
  console.log(
    `Selvedge ${VERSION} to ${target.environment}, Worker ${target.worker}. The account could not be asked: ${why}.\nWhat exists there is unknown, so this is the plan for an empty account; a deploy leaves out what it finds.`,
  )
  const databases = target.databases.map(({ name }) => ({ name, id: undefined }))
  await run(new EmptyAccount(target.accountId), { ...target, databases }, place)
}

const originOf = (address: string | undefined) => address && new URL(address).origin

function nextCommands({ origin, operatorKey }: Progress): string {
  const key = operatorKey?.isUploaded
    ? `export SELVEDGE_OPERATOR_KEY=$(sed -n 's/^OPERATOR_KEY=//p' ${operatorKey.file})`
    : `export SELVEDGE_OPERATOR_KEY=…    # the OPERATOR_KEY of this deployment${operatorKey ? `; one that was made here stands in ${operatorKey.file}` : ''}`
  return `
Next:

  export SELVEDGE_BASE_URL=${origin ?? 'https://…'}/api
  ${key}
  npm run -s selvedge -- operator orgs create my-team --name "My team" --admin-email you@example.com
`
}

const UPLOAD_NEXT = `
No code was deployed. Next, as src/guides/deploy.md says: npx wrangler versions upload --env=${flags.env === 'staging' ? 'staging' : ''} --tag ${VERSION}
`

async function deploy(target: Target, place: Place): Promise<void> {
  const account = await named({ name: 'sign-in', permission: 'Account · Account Settings · Read' }, () =>
    signIn(target.accountId),
  )
  console.log(`Selvedge ${VERSION} to ${target.environment}, Worker ${target.worker}, account ${account.accountId}`)
  const progress = await run(account, target, place)
  if (flags['dry-run']) return
  console.log(flags['migrate-only'] ? UPLOAD_NEXT : nextCommands(progress))
}

async function main(): Promise<void> {
  if (!ENVIRONMENTS.includes(flags.env)) {
    throw new Error(`There is no environment ${flags.env}: --env takes ${ENVIRONMENTS.join(' or ')}.`)
  }
  const target = await named({ name: 'wrangler.toml', permission: '' }, () => targetOf(flags.env))
  const place = placeOf(flags, target)
  try {
    await deploy(target, place)
  } catch (error) {
    const why = flags['dry-run'] ? unreached(error) : undefined
    if (why === undefined) throw error
    await planUnseen(why, target, place)
  }
}

main().catch(error => {
  if (error instanceof NotSignedIn) {
    console.error(
      'You are not signed in to Cloudflare.\nRun `npx wrangler login`, or set CLOUDFLARE_API_TOKEN, and try again.',
    )
    process.exit(4)
  }
  if (error instanceof StepFailure) {
    console.error(`\nThe step "${error.step}" failed: ${error.message}`)
    console.error('What was done before it stays. Once the cause is gone, the same command goes on from there.')
  } else {
    console.error(error instanceof Error ? error.message : error)
  }
  process.exit(error.cause instanceof Interrupted ? error.cause.exitCode : 1)
})
