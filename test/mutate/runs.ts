// Starts vitest and reads what its reporter writes. One that shows no sign of life is ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { RUN } from './cache.ts'
import { ROOT } from './targets.ts'

export interface CoveredTest {
  name: string
  ms: number
  /** The numbers of the mutants it passes by. */
  hits: number[]
}

export interface FileEnd {
  type: 'end'
  project: string
  file: string
  isOk: boolean
  failure: string | null
  sharedHits: number[]
  tests: CoveredTest[]
}

type Line = { type: 'start'; file: string } | { type: 'test' } | FileEnd

export interface RunOptions {
  mode: 'cover' | 'try'
  /** Parts of the names of test files; none: all. */
  files?: readonly string[]
  project?: string
  /** Without a sign of life, once it has begun. */
  silenceMs: number
  onEnd(end: FileEnd): void
}

/** The runtime has to load all modules first. */
const START_MS = 300_000

let running: ChildProcess | undefined

export function endRun(): void {
  const pid = running?.pid
  running = undefined
  if (pid === undefined) return
  try {
    // With the runtime that it has started.
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** The file that was under way where the run had to be ended. */
export async function runTests(options: RunOptions): Promise<{ stuckIn: string | undefined; output: string }> {
  const { mode, files = [], project, onEnd } = options
  const out = path.join(RUN, 'lines.jsonl')
  mkdirSync(RUN, { recursive: true })
  rmSync(out, { force: true })
  closeSync(openSync(out, 'w'))
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', 'test/mutate/vitest.config.ts', ...(project ? ['--project', project] : [])]
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: ROOT,
    env: { ...process.env, MUTATE_MODE: mode, MUTATE_RUN: RUN, MUTATE_OUT: out },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-4000)
    })
  }
  const lines = new LineReader(out)
  const startedFiles = new Set<string>()
  let lastSign = performance.now()
  let silenceMs = START_MS
  const look = () => {
    for (const line of lines.next()) {
      lastSign = performance.now()
      if (line.type === 'start') startedFiles.add(line.file)
      else silenceMs = options.silenceMs
      if (line.type === 'end') {
        startedFiles.delete(line.file)
        onEnd(line)
      }
    }
    if (performance.now() - lastSign > silenceMs) endRun()
  }
  const timer = setInterval(look, 500)
  await new Promise(resolve => child.once('exit', resolve))
  clearInterval(timer)
  look()
  running = undefined
  return { stuckIn: [...startedFiles][0], output }
}

/** The lines that have come since it was asked last. */
class LineReader {
  readonly #file: string
  #at = 0
  #rest = ''
  readonly #decoder = new StringDecoder('utf8')

  constructor(file: string) {
    this.#file = file
  }

  next(): Line[] {
    const file = openSync(this.#file, 'r')
    const buffer = Buffer.alloc(1 << 20)
    for (;;) {
      const length = readSync(file, buffer, 0, buffer.length, this.#at)
      if (length === 0) break
      this.#at += length
      this.#rest += this.#decoder.write(buffer.subarray(0, length))
    }
    closeSync(file)
    const lines = this.#rest.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.map(line => JSON.parse(line) as Line)
  }
}
