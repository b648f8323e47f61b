// The secrets of a deployment. What the Worker has is kept; what it lacks comes from the environment, or is made and kept in a
// file before it is uploaded, so that a deploy that dies on the way loses none.
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { root } from './cloudflare.ts'
import { interruptible } from './interruption.ts'

/** The Worker takes no shorter operator key. */
const MIN_LENGTH = 20

export interface SecretsPlan {
  kept: string[]
  given: Record<string, string>
  /** Made by an earlier run that did not come to its end. */
  remembered: Record<string, Remembered>
  missing: string[]
}

export interface Remembered {
  value: string
  file: string
}

/** Relative to the root, as it is shown. Accounts that one tree is deployed to have each its own. */
export function secretsFile(worker: string, accountId: string): string {
  return path.join('.secrets', `${worker}.${accountId}.env`)
}

/** Where it was before files had the account in their name. */
export function earlierSecretsFile(environment: string): string {
  return path.join('.secrets', `${environment}.env`)
}

export const isFile = (file: string) => existsSync(path.join(root, file))

/** What the first of the files says goes before what the others say. */
export function rememberedIn(files: readonly string[]): Map<string, Remembered> {
  const remembered = new Map<string, Remembered>()
  for (const file of files.filter(isFile).reverse()) {
    const values = parseEnv(readFileSync(path.join(root, file), 'utf8'))
    for (const [name, value] of Object.entries(values)) if (value) remembered.set(name, { value, file })
  }
  return remembered
}

export function planSecrets(
  required: readonly string[],
  present: readonly string[],
  files: readonly string[],
): SecretsPlan {
  const plan: SecretsPlan = { kept: [], given: {}, remembered: {}, missing: [] }
  const inFiles = rememberedIn(files)
  for (const name of required) {
    const given = process.env[name]
    const remembered = inFiles.get(name)
    if (present.includes(name)) plan.kept.push(name)
    else if (given) plan.given[name] = strong(name, given)
    else if (remembered) plan.remembered[name] = remembered
    else plan.missing.push(name)
  }
  return plan
}

/** As most tools see it: CI is set, and not to "no". */
export const isPipeline = () => !['', '0', 'false'].includes(process.env.CI ?? '')

function strong(name: string, value: string): string {
  if (value.length >= MIN_LENGTH) return value
  throw new Error(`${name} has ${value.length} characters, and needs ${MIN_LENGTH}: openssl rand -base64 32`)
}

/** All that are to be uploaded. Those that are made are kept in the file first. */
export function makeSecrets({ given, remembered, missing }: SecretsPlan, ownFile: string): Record<string, string> {
  const made = Object.fromEntries(missing.map(name => [name, randomBytes(32).toString('base64url')]))
  const known = Object.fromEntries(Object.entries(remembered).map(([name, { value }]) => [name, value]))
  const file = path.join(root, ownFile)
  if (missing.length > 0) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  // Somebody may have edited it, and left its last line without an end.
  const isOpen = missing.length > 0 && existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
  if (isOpen) appendFileSync(file, '\n')
  for (const [name, value] of Object.entries(made)) appendFileSync(file, `${name}=${value}\n`, { mode: 0o600 })
  return { ...given, ...known, ...made }
}

/** A folder for what Wrangler is given and gives back; nobody else can read it, and it is gone afterwards. */
export function withPrivateFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  return interruptible(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'selvedge-deploy-'))
    try {
      return await use(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
