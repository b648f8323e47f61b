// The few calls of Cloudflare's API that a deploy makes by itself; Wrangler makes the others.
import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { interruptible } from './interruption.ts'

export const root = path.resolve(import.meta.dirname, '../../..')
const wranglerPath = path.join(root, 'node_modules/wrangler/bin/wrangler.js')
/** Wrangler's own variable. */
const BASE_URL = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 60_000

export class ApiFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  /** The token is wrong, or may not do this. */
  get isRefusal(): boolean {
    return this.status === 401 || this.status === 403
  }

  /** Nothing was reached. */
  get isSilence(): boolean {
    return this.status === 0
  }
}

/** Nobody is signed in: nothing to be named but the two ways in. */
export class NotSignedIn extends Error {}

interface Envelope<Result> {
  success: boolean
  result: Result
  errors?: { code: number; message: string }[]
}

export class Cloudflare {
  readonly accountId: string
  readonly #headers: Record<string, string>

  constructor(accountId: string, headers: Record<string, string>) {
    this.accountId = accountId
    this.#headers = headers
  }

  /** Below the account. */
  call<Result>(method: string, where: string, body?: unknown, headers?: Record<string, string>): Promise<Result> {
    return ask(method, `/accounts/${this.accountId}${where}`, { ...this.#headers, ...headers }, body)
  }

  /** Undefined where there is no such thing. */
  async find<Result>(where: string, headers?: Record<string, string>): Promise<Result | undefined> {
    try {
      return await this.call<Result>('GET', where, undefined, headers)
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 404) return undefined
      throw error
    }
  }
}

/** What a dry run looks at where no account can be asked: an account that has nothing. */
export class EmptyAccount extends Cloudflare {
  constructor(configured: string | undefined) {
    super(givenAccount(configured) ?? 'ACCOUNT', {})
  }

  override async call<Result>(): Promise<Result> {
    return [] as Result
  }

  override async find(): Promise<undefined> {
    return undefined
  }
}

async function ask<Result>(
  method: string,
  where: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Result> {
  const response = await fetch(BASE_URL + where, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(error => {
    throw new ApiFailure(0, `${method} ${where}: no answer (${error.cause?.message ?? error.message})`)
  })
  const text = await response.text()
  const answer = parsed<Result>(text)
  if (response.ok && answer?.success) return answer.result
  const said = answer?.errors?.map(({ code, message }) => `${message} [${code}]`).join('; ') ?? text.slice(0, 200)
  throw new ApiFailure(response.status, `${method} ${where}: ${response.status} ${said}`)
}

function parsed<Result>(text: string): Envelope<Result> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As whoever Wrangler is signed in as. The account: that of wrangler.toml, CLOUDFLARE_ACCOUNT_ID, or the only one there is. */
export async function signIn(configured: string | undefined): Promise<Cloudflare> {
  const given = givenAccount(configured)
  const headers = credentials()
  if (given) return new Cloudflare(given, headers)
  const accounts = await ask<{ id: string; name: string }[]>('GET', '/accounts', headers)
  const [only, ...others] = accounts
  if (only && others.length === 0) return new Cloudflare(only.id, headers)
  const list = accounts.map(({ id, name }) => `\n  export CLOUDFLARE_ACCOUNT_ID=${id}  # ${name}`).join('')
  throw new Error(`this sign-in has ${accounts.length} accounts; choose one:${list}`)
}

/** Wrangler goes by wrangler.toml first, and says nothing of the variable where both are set: whoever deploys decides which is meant. */
function givenAccount(configured: string | undefined): string | undefined {
  const { CLOUDFLARE_ACCOUNT_ID: variable } = process.env
  if (configured && variable && configured !== variable) {
    throw new Error(
      `wrangler.toml names account ${configured} as account_id, CLOUDFLARE_ACCOUNT_ID names ${variable}. Take one of them away.`,
    )
  }
  return configured || variable || undefined
}

function credentials(): Record<string, string> {
  const { CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_KEY, CLOUDFLARE_EMAIL } = process.env
  if (CLOUDFLARE_API_TOKEN) return { Authorization: `Bearer ${CLOUDFLARE_API_TOKEN}` }
  if (CLOUDFLARE_API_KEY && CLOUDFLARE_EMAIL) {
    return { 'X-Auth-Key': CLOUDFLARE_API_KEY, 'X-Auth-Email': CLOUDFLARE_EMAIL }
  }
  const { status, stdout } = spawnSync(process.execPath, [wranglerPath, 'auth', 'token', '--json'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new NotSignedIn()
  return { Authorization: `Bearer ${JSON.parse(stdout).token}` }
}

/** What it says goes to the terminal; what it asks, too. One that was told to stop says that all is well. */
export async function wrangler(
  account: Cloudflare,
  args: string[],
  variables: Record<string, string> = {},
): Promise<void> {
  const env = {
    ...process.env,
    CLOUDFLARE_ACCOUNT_ID: account.accountId,
    WRANGLER_SEND_METRICS: 'false',
    ...variables,
  }
  const status = await interruptible(stopped => {
    const child = spawn(process.execPath, [wranglerPath, ...args], { cwd: root, stdio: 'inherit', env })
    stopped.addEventListener('abort', () => child.kill())
    return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  })
  if (status !== 0) throw new Error(`\`wrangler ${args.slice(0, 3).join(' ')}\` failed; what it says stands above`)
}
