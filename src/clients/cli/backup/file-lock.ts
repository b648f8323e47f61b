// One run at a time writes to a file: a second file beside it names the run. It ends with the run, or, where that has died, with its process
// or, seen from another machine, a while after its last sign of life.

import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Failure } from '../failure.ts'
import { isRunning } from '../is-running.ts'
import { PRIVATE } from '../whole-file.ts'

const ALIVE_EVERY_MS = 15_000
const DEAD_AFTER_MS = 120_000

interface Holder {
  host: string
  pid: number
  token: string
}

/** Those of this process: the id of a process comes again, in containers most of all. */
const held = new Set<string>()

const lockOf = (file: string) => `${file}.lock`

export class FileLock {
  readonly #file: string
  readonly #text: string
  readonly #alive: NodeJS.Timeout

  private constructor(file: string, text: string) {
    this.#file = file
    this.#text = text
    const lock = lockOf(file)
    this.#alive = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => undefined), ALIVE_EVERY_MS)
    this.#alive.unref()
  }

  /** Fails at once where another run has it. */
  static async take(file: string): Promise<FileLock> {
    const place = path.resolve(file)
    const holder: Holder = { host: os.hostname(), pid: process.pid, token: randomUUID() }
    const text = JSON.stringify(holder)
    if (held.has(place)) throw isTaken(file)
    held.add(place)
    try {
      if (await isDead(lockOf(place))) await rm(lockOf(place), { force: true })
      await writeFile(lockOf(place), text, { flag: 'wx', mode: PRIVATE })
      return new FileLock(place, text)
    } catch (error) {
      held.delete(place)
      throw hasCode(error, 'EEXIST') ? isTaken(file) : error
    }
  }

  /** Whoever slept for too long finds that another run has taken it for dead. */
  async check(): Promise<void> {
    if ((await textOf(lockOf(this.#file))) !== this.#text) throw isTaken(this.#file)
  }

  async release(): Promise<void> {
    clearInterval(this.#alive)
    held.delete(this.#file)
    if ((await textOf(lockOf(this.#file))) === this.#text) await rm(lockOf(this.#file), { force: true })
  }
}

const textOf = (lock: string) => readFile(lock, 'utf8').catch(() => undefined)

async function isDead(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  if (!found) return false
  if (found.mtimeMs < Date.now() - DEAD_AFTER_MS) return true
  const { host, pid } = holderIn(await textOf(lock))
  return host === os.hostname() && pid !== undefined && (pid === process.pid || !isRunning(pid))
}

/** Nothing is told where it is being written just now. */
function holderIn(text = ''): Partial<Holder> {
  try {
    return JSON.parse(text) as Holder
  } catch {
    return {}
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

const isTaken = (file: string) =>
  new Failure({
    what: `Another run is writing ${file}.`,
    why: `${lockOf(file)} names it. One that died on another machine is forgotten after two minutes.`,
    todo: 'Wait for its end, or write to another file.',
  })
