// Signing in and out. Secrets come from the environment, a prompt without echo, or stdin; as an argument only where the user
// chose to write them there.

import type { Command } from 'commander'
import { ApiError, type Client, login } from '../../typescript/index.ts'
import { type Cli, examples } from '../cli.ts'
import { chosenProfile, clientOf, connectionOf, localVariablesOf, type Variables, variablesOf } from '../connection.ts'
import { EXIT_NOT_SIGNED_IN, Failure, type FailureParts, usage } from '../failure.ts'
import {
  DEFAULT_PROFILE,
  type Profile,
  profileNamed,
  readProfiles,
  withoutProfile,
  writeProfiles,
} from '../profiles.ts'
import { ask, askSecret, canAsk } from '../prompt.ts'
import { loginBySso } from '../sso.ts'
import type { World } from '../terminal.ts'

interface LoginFlags {
  baseUrl?: string
  org?: string
  email?: string
  apiKey?: string | true
  sso?: boolean
}

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('Sign in and keep the credential in a file that only you can read.')
    .option('--base-url <url>', 'address of the service (also SELVEDGE_BASE_URL)')
    .option('--org <slug>', 'organization (also SELVEDGE_ORG)')
    .option('--email <email>', 'sign in with email and password (SELVEDGE_PASSWORD, prompt or stdin)')
    .option('--api-key [key]', 'sign in with a key; leave the value out to be asked for it (also SELVEDGE_API_KEY)')
    .option('--sso', 'sign in with your browser at the identity provider of the organization')
    .addHelpText(
      'after',
      examples(
        'selvedge login --base-url http://localhost:8787 --org demo --email admin@example.com',
        'selvedge login --base-url https://selvedge.example.com --org demo --sso',
        'selvedge login --base-url https://selvedge.example.com --org demo --api-key --profile production',
        'SELVEDGE_PASSWORD=… selvedge login --org demo --email me@example.com',
      ),
    )
    .action(async (flags: LoginFlags, command: Command) => {
      const output = cli.output(command)
      const name = chosenProfile(cli.world, cli.options(command)) ?? DEFAULT_PROFILE
      const { profile, client } = await signIn(cli.world, flags)
      const before = await readProfiles(cli.world)
      const file = await writeProfiles(cli.world, {
        current: name,
        profiles: { ...before.profiles, [name]: { ...profile, baseUrl: client.baseUrl } },
      })
      warnAboutPlainHttp(client.baseUrl, text => output.note(text))
      output.note(`Signed in to ${profile.orgSlug} at ${client.baseUrl} (profile ${name}, kept in ${file}).`)
      if (output.json) output.fields({ profile: name, baseUrl: client.baseUrl, orgSlug: profile.orgSlug })
    })

  program
    .command('logout')
    .description('End the session and forget the profile.')
    .addHelpText('after', examples('selvedge logout', 'selvedge logout --profile production'))
    .action(async (_flags: object, command: Command) => {
      const output = cli.output(command)
      const file = await readProfiles(cli.world)
      const name = chosenProfile(cli.world, cli.options(command)) ?? file.current
      const profile = profileNamed(file, name)
      if (profile === undefined)
        return output.note(name === '' ? 'Nobody is signed in.' : `There is no profile ${name}.`)
      if (profile.accessToken !== undefined) {
        await clientOf(cli.world, { ...profile, source: name })
          .logout({ maxRetries: 0 })
          .catch(error => output.note(`warning: the service did not confirm: ${error.message}`))
      }
      await writeProfiles(cli.world, withoutProfile(file, name))
      output.note(`Signed out of ${profile.orgSlug} (profile ${name}).`)
    })

  program
    .command('whoami')
    .description('Show which service, organization and credential are in use.')
    .addHelpText('after', examples('selvedge whoami', 'selvedge whoami --profile production --json'))
    .action(async (_flags: object, command: Command) => {
      const connection = await connectionOf(cli.world, cli.options(command))
      const client = await cli.clientOf(connection)
      const { credential, user, role, scope, tier } = await client.me()
      const { baseUrl, orgSlug, source } = connection
      const who = {
        kind: credential.kind,
        expiresOn: credential.expiresOn,
        user: user?.email ?? null,
        role,
        scope,
        tier,
      }
      cli.output(command).fields({ source, baseUrl, orgSlug, ...who })
    })
}

async function signIn(world: World, flags: LoginFlags): Promise<{ profile: Profile; client: Client }> {
  const { env } = world
  const own = variablesOf(world)
  const local = localBeside(world, { ...own, baseUrl: flags.baseUrl ?? own.baseUrl, orgSlug: flags.org ?? own.orgSlug })
  const key = own.apiKey ?? local.apiKey
  const baseUrl =
    flags.baseUrl ?? own.baseUrl ?? local.baseUrl ?? (await ask(world, 'Address of the service', 'Give --base-url.'))
  const orgSlug = flags.org ?? own.orgSlug ?? local.orgSlug ?? (await ask(world, 'Organization', 'Give --org.'))
  const connection = { baseUrl, orgSlug, signal: world.signal, maxRetries: 1 }
  if (flags.sso) return sessionOf(connection, await loginBySso(world, connection))
  if (flags.apiKey !== undefined || (flags.email === undefined && key !== undefined)) {
    const given = typeof flags.apiKey === 'string' ? flags.apiKey : key
    const apiKey = given ?? (await askSecret(world, 'API key', 'SELVEDGE_API_KEY'))
    const client = await refused(login({ ...connection, apiKey }), wrongKey(orgSlug))
    return { profile: { baseUrl, orgSlug, apiKey }, client }
  }
  if (flags.email === undefined && !canAsk(world)) {
    throw usage('It is not said how to sign in.', 'Give --email, --api-key or --sso, or set SELVEDGE_API_KEY.')
  }
  const email = flags.email ?? (await ask(world, 'Email', 'Give --email.'))
  const password = env.SELVEDGE_PASSWORD || (await askSecret(world, 'Password', 'SELVEDGE_PASSWORD'))
  const client = await refused(login({ ...connection, email, password }), wrongPassword(email, orgSlug))
  return sessionOf(connection, client, email)
}

/** Those of a local start count as a whole: their key goes to no other service, and no other key to theirs. */
function localBeside(world: World, given: Variables): Variables {
  const local = localVariablesOf(world)
  const isOther = (name: keyof Variables) => given[name] !== undefined && given[name] !== local[name]
  return isOther('baseUrl') || isOther('orgSlug') || isOther('apiKey') ? {} : local
}

/** The general advice for a 401, to sign in again, is of no use while signing in. */
async function refused(signingIn: Promise<Client>, advice: Pick<FailureParts, 'why' | 'todo'>): Promise<Client> {
  try {
    return await signingIn
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    const data = { status: error.status, code: error.code, requestId: error.requestId }
    throw new Failure({ what: 'Signing in failed.', ...advice, exitCode: EXIT_NOT_SIGNED_IN, data })
  }
}

const wrongPassword = (email: string, orgSlug: string) => ({
  why: `Email, password and organization do not fit together: ${email} in ${orgSlug}. (401)`,
  todo: `Try again. Where the password is forgotten, the operator makes a link: \`selvedge operator password-reset ${orgSlug} ${email}\`.`,
})

const wrongKey = (orgSlug: string) => ({
  why: `The key is mistyped, expired or revoked, or belongs to another organization than ${orgSlug}. (401)`,
  todo: 'Check the key and --org. A person makes a new key with `selvedge getApiKey`.',
})

function sessionOf(connection: Profile, client: Client, typed?: string): { profile: Profile; client: Client } {
  const { baseUrl, orgSlug } = connection
  const session = client.session
  if (session === undefined) throw new Error('The login gave no session')
  const { accessToken, expiresOn, user } = session
  return { profile: { baseUrl, orgSlug, email: typed ?? user.email, accessToken, expiresOn }, client }
}

function warnAboutPlainHttp(baseUrl: string, note: (text: string) => void): void {
  const { protocol, hostname } = new URL(baseUrl)
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol === 'http:' && !local)
    note(`warning: ${baseUrl} is not encrypted; others on the way can read the credential.`)
}
