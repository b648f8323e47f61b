// A fresh clone of the tree, and commands run in it by somebody whose account is the stand-in.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ACCOUNT_ID } from './stand-in/account.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Made by commands, ignored by git: a fresh clone has none of them. */
const MADE = new Set(['node_modules', 'dist', '.wrangler', '.dev.vars', '.secrets', '.git', 'target'])
/** Wrangler and the script say everything in plain text, and nothing to the world. */
const QUIET = { NO_COLOR: '1', FORCE_COLOR: '0', WRANGLER_SEND_METRICS: 'false' }

export interface Outcome {
  code: number
  /** Both streams. */
  text: string
}

export class Clone {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'selvedge-clone-'))
  readonly #apiUrl: string

  constructor(apiUrl: string) {
    this.#apiUrl = apiUrl
    cpSync(root, this.folder, { recursive: true, filter: source => !MADE.has(path.basename(source)) })
    symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'))
  }

  /** `npx wrangler …` */
  wrangler(args: string[], variables: Record<string, string> = {}): Promise<Outcome> {
    return this.#run(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args], variables)
  }

  /** `npm run deploy -- …`; where `from` is given, it can be interrupted from there. */
  deploy(args: string[], variables: Record<string, string> = {}, from?: AbortSignal): Promise<Outcome> {
    return this.#run(process.execPath, ['src/scripts/deploy.ts', ...args], variables, from)
  }

  /** `npm …`, by word. */
  npm(args: string[]): Promise<Outcome> {
    return this.#run('npm', args, {})
  }

  /** `npm run release -- …` */
  release(args: string[], variables: Record<string, string>): Promise<Outcome> {
    return this.#run(process.execPath, ['src/scripts/release.ts', ...args], variables)
  }

  /** A line that somebody types. */
  shell(line: string): Promise<Outcome> {
    return this.#run('bash', ['-ec', line], {})
  }

  read(file: string): string {
    return readFileSync(path.join(this.folder, file), 'utf8')
  }

  change(file: string, by: (text: string) => string): void {
    writeFileSync(path.join(this.folder, file), by(this.read(file)))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  #run(command: string, args: string[], variables: Record<string, string>, from?: AbortSignal): Promise<Outcome> {
    const { PATH } = process.env
    const env = {
      PATH,
      HOME: this.folder,
      ...QUIET,
      CLOUDFLARE_API_BASE_URL: this.#apiUrl,
      CLOUDFLARE_API_TOKEN: 'token-of-the-tests',
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
      ...variables,
    }
    const child = spawn(command, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    from?.addEventListener('abort', () => child.kill(from.reason))
    let text = ''
    child.stdout.on('data', chunk => (text += chunk))
    child.stderr.on('data', chunk => (text += chunk))
    return new Promise((resolve, reject) => {
      child.once('error', reject).once('close', code => resolve({ code: code ?? 1, text }))
    })
  }
}
