// Which service, organization and credential a command uses. `--profile` beats the variables SELVEDGE_…, those beat the current
// profile, and where there is none the variables of a local start serve.

import { type Client, type ConnectionOptions, connect, Operator } from '../typescript/index.ts'
import { EXIT_NOT_SIGNED_IN, Failure, usage } from './failure.ts'
import { type Profile, profileNamed, readProfiles } from './profiles.ts'
import { askSecret } from './prompt.ts'
import type { World } from './terminal.ts'
import { version } from './version.ts'

export interface GlobalOptions {
  profile?: string
  json?: boolean
}

export interface Connection extends Profile {
  /** Where the credential comes from: `profile NAME` or `environment`. */
  source: string
  isProfile: boolean
}

/** A key, its organization and its service, as the environment has them. */
export interface Variables {
  apiKey?: string | undefined
  orgSlug?: string | undefined
  baseUrl?: string | undefined
}

export function variablesOf({ env }: Pick<World, 'env'>): Variables {
  const { SELVEDGE_API_KEY, SELVEDGE_ORG, SELVEDGE_BASE_URL } = env
  return {
    apiKey: SELVEDGE_API_KEY || undefined,
    orgSlug: SELVEDGE_ORG || undefined,
    baseUrl: SELVEDGE_BASE_URL || undefined,
  }
}

/** Those that a local start prints. Their names are nobody's own, so that they count only together, and after a login. */
export function localVariablesOf({ env }: Pick<World, 'env'>): Variables {
  const { API_KEY, ORG_SLUG, BASE_URL } = env
  return API_KEY && ORG_SLUG && BASE_URL ? { apiKey: API_KEY, orgSlug: ORG_SLUG, baseUrl: BASE_URL } : {}
}

/** A variable that is empty counts as unset. */
export function chosenProfile({ env }: Pick<World, 'env'>, { profile }: GlobalOptions): string | undefined {
  return profile ?? (env.SELVEDGE_PROFILE || undefined)
}

export async function connectionOf(world: World, options: GlobalOptions): Promise<Connection> {
  const { apiKey, orgSlug, baseUrl } = variablesOf(world)
  if (options.profile === undefined && apiKey !== undefined) return fromEnvironment(apiKey, orgSlug, baseUrl)
  const file = await readProfiles(world)
  const chosen = chosenProfile(world, options)
  const name = chosen ?? file.current
  const profile = profileNamed(file, name)
  if (profile === undefined) {
    const local = localVariablesOf(world)
    if (chosen === undefined && local.apiKey) return fromEnvironment(local.apiKey, local.orgSlug, local.baseUrl)
    const others = chosen === undefined ? Object.keys(file.profiles) : []
    if (others.length > 0) throw notSignedIn(`None of the profiles is the current one: ${others.join(', ')}.`, CHOOSE)
    throw notSignedIn(`There is no profile${name === '' ? '' : ` ${JSON.stringify(name)}`}, and no key is set.`)
  }
  if (profile.expiresOn !== undefined && Date.parse(profile.expiresOn) < Date.now()) {
    throw notSignedIn(`The session of the profile ${JSON.stringify(name)} ended on ${profile.expiresOn}.`)
  }
  return { ...profile, source: `profile ${name}`, isProfile: true }
}

function fromEnvironment(apiKey: string, orgSlug: string | undefined, baseUrl: string | undefined): Connection {
  if (orgSlug && baseUrl) return { baseUrl, orgSlug, apiKey, source: 'environment', isProfile: false }
  throw usage(
    'SELVEDGE_API_KEY is set, but SELVEDGE_ORG or SELVEDGE_BASE_URL is not.',
    'Set all three, or unset SELVEDGE_API_KEY to use a profile.',
    'A key is good for one organization of one service.',
  )
}

const SIGN_IN = 'Run `selvedge login`, or set SELVEDGE_API_KEY, SELVEDGE_ORG and SELVEDGE_BASE_URL.'
const CHOOSE = 'Choose one with `selvedge profiles use NAME` or --profile, or sign in with `selvedge login`.'

function notSignedIn(why: string, todo = SIGN_IN): Failure {
  return new Failure({
    what: 'Not signed in.',
    why,
    todo,
    exitCode: EXIT_NOT_SIGNED_IN,
  })
}

const headers = { 'user-agent': `selvedge-cli/${version}` }

export function clientOf(
  world: World,
  connection: Omit<Connection, 'isProfile'>,
  more: Pick<ConnectionOptions, 'bookmark' | 'onBookmark'> = {},
): Client {
  const { baseUrl, orgSlug, apiKey, accessToken } = connection
  const common = { ...more, baseUrl, orgSlug, headers, signal: world.signal }
  if (apiKey !== undefined) return connect({ ...common, apiKey })
  if (accessToken !== undefined) return connect({ ...common, accessToken })
  throw notSignedIn(`The ${connection.source} holds no credential.`)
}

/** The operator key comes from the environment or a prompt and is never stored. */
export async function operatorOf(world: World, options: GlobalOptions & { baseUrl?: string }): Promise<Operator> {
  const variable = options.profile === undefined ? variablesOf(world).baseUrl : undefined
  const baseUrl = options.baseUrl ?? variable ?? (await profileAddress(world, options))
  if (baseUrl === undefined)
    throw usage('The address of the service is missing.', 'Give --base-url or set SELVEDGE_BASE_URL.')
  const operatorKey =
    world.env.SELVEDGE_OPERATOR_KEY || (await askSecret(world, 'Operator key', 'SELVEDGE_OPERATOR_KEY'))
  return new Operator({ baseUrl, operatorKey, headers, signal: world.signal })
}

async function profileAddress(world: World, options: GlobalOptions): Promise<string | undefined> {
  const file = await readProfiles(world)
  const chosen = chosenProfile(world, options)
  const profile = profileNamed(file, chosen ?? file.current)
  if (chosen !== undefined && profile === undefined)
    throw usage(`There is no profile ${JSON.stringify(chosen)}.`, '`selvedge profiles list` shows all of them.')
  return profile?.baseUrl ?? localVariablesOf(world).baseUrl
}
