// Runs the shell blocks of a page as a reader would, one after the other in one shell, with the real curl. A stand-in of the
// same name, first on the path, writes down the status of each answer and hands everything on.
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Fence, root } from '../../markdown.ts'

const PAGE_TIMEOUT_MS = 120_000
const run = promisify(execFile)

export interface Ran {
  printed: string
  /** `line 12: 201 200`: the answers of each block, by the line where it begins. */
  answers: string[]
}

export const isExample = ({ language, text }: Fence) => language === 'sh' && /\b(curl|selvedge) /.test(text)

/** The same for what the page says: the status in a comment behind the call, else any success. */
export function expectedAnswers(fences: readonly Fence[]): string[] {
  return fences.filter(isExample).map(({ text, line }) => {
    const [, ...calls] = text.split(/\bcurl (?=["-])/)
    return answersOf(
      line,
      text,
      calls.map(call => /# ([45]\d\d)\b/.exec(call)?.[1] ?? 'success'),
    )
  })
}

/** A block that waits for something asks as often as it takes. */
function answersOf(line: number, text: string, statuses: string[]): string {
  const waits = /^until /m.test(text)
  const told = statuses.filter((status, at) => !waits || status !== statuses[at - 1])
  return [`line ${line}:`, ...told].join(' ')
}

/** Notes the status and hands on the body. */
const CURL = `body=$(mktemp)
status=$(CURL -sS -o "$body" -w '%{http_code}' "$@") || exit
printf ' %s' "$status" >> "$ANSWERS"
cat "$body"
rm "$body"`

export class Shell {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'selvedge-examples-'))
  readonly #env: NodeJS.ProcessEnv

  constructor(env: Record<string, string>) {
    const commands = path.join(this.#folder, '.commands')
    mkdirSync(commands)
    const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
    standIn(commands, 'curl', CURL.replaceAll('CURL', curl))
    standIn(commands, 'selvedge', `exec "${process.execPath}" "${root}/src/clients/cli/main.ts" "$@"`)
    this.#env = {
      ...process.env,
      ...env,
      ANSWERS: path.join(this.#folder, '.answers'),
      PATH: `${commands}${path.delimiter}${process.env.PATH}`,
      XDG_CONFIG_HOME: path.join(this.#folder, '.config'),
    }
  }

  /** Saves the blocks that have a name, then runs those of the shell, in the same one as what comes `before`. */
  async run(fences: readonly Fence[], before = ''): Promise<Ran> {
    for (const { title, text } of fences) if (title) writeFileSync(path.join(this.#folder, title), text)
    const chosen = fences.filter(isExample)
    const blocks = chosen.map(({ text }) => `echo >> "$ANSWERS"\n${text}`)
    const answers = this.#env.ANSWERS ?? ''
    writeFileSync(answers, '')
    const options = { cwd: this.#folder, env: this.#env, timeout: PAGE_TIMEOUT_MS }
    const { stdout, stderr } = await run('bash', ['-c', ['set -eu', before, ...blocks].join('\n')], options)
    const [_before, ...lines] = readFileSync(answers, 'utf8').split('\n')
    const statuses = lines
      .map(line => line.split(' ').slice(1))
      .map(each => each.map(s => s.replace(/^2\d\d$/, 'success')))
    return {
      printed: stdout + stderr,
      answers: chosen.map(({ line, text }, at) => answersOf(line, text, statuses[at] ?? [])),
    }
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function standIn(folder: string, name: string, script: string): void {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(folder, name), 0o755)
}
