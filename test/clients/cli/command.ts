// Runs the command in this process, in a world of its own: streams that remember, a configuration folder that is thrown away.

import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { run } from '../../../src/clients/cli/program.ts'
import { Sink } from '../../../src/clients/cli/sink.ts'
import type { World } from '../../../src/clients/cli/terminal.ts'
import type { FakeServer } from '../fake-server.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface Bench {
  folder: string
  env: Record<string, string>
  command(words: string[], more?: Partial<RunOptions>): Promise<Ran>
}

export interface RunOptions {
  stdin: string | Readable
  /** Both screens and the keyboard are a terminal of this width. */
  terminal: number
  /** What a person types when a question shows up on the screen. */
  answers: Record<string, string>
  signal: AbortSignal
  env: Record<string, string>
  /** What the browser does with the address it is sent to. */
  browse(address: string): void
  /** EPIPE: nobody reads stdout or stderr. ENOSPC: there is no room. */
  broken: { stdout?: string; stderr?: string }
  /** Called with each piece of stdout. */
  onStdout(text: string): void
}

class Remembering extends Writable {
  isTTY = false
  columns: number | undefined
  text = ''
  heard: ((text: string) => void) | undefined
  /** Why nothing can be written, as the system calls it. */
  broken: string | undefined

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.broken === undefined) {
      this.text += chunk.toString()
      this.heard?.(chunk.toString())
      done()
    } else done(Object.assign(new Error(`write ${this.broken}`), { code: this.broken }))
  }
}

const readableOf = (text: string | Readable) => (typeof text === 'string' ? Readable.from([Buffer.from(text)]) : text)

/** With `server`, the environment holds a key for it. */
export async function bench(server?: FakeServer): Promise<Bench> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'selvedge-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env: Record<string, string> = { XDG_CONFIG_HOME: path.join(folder, 'config'), NO_COLOR: '1' }
  if (server) Object.assign(env, { SELVEDGE_API_KEY: 'app:k', SELVEDGE_ORG: 'demo', SELVEDGE_BASE_URL: server.baseUrl })
  const command = async (words: string[], more: Partial<RunOptions> = {}): Promise<Ran> => {
    const stdout = new Remembering()
    const stderr = new Remembering()
    stdout.heard = more.onStdout
    stdout.broken = more.broken?.stdout
    stderr.broken = more.broken?.stderr
    const stdin: World['stdin'] = more.terminal === undefined ? readableOf(more.stdin ?? '') : new PassThrough()
    if (more.terminal !== undefined) {
      for (const screen of [stdout, stderr]) Object.assign(screen, { isTTY: true, columns: more.terminal })
      Object.assign(stdin, { isTTY: true, setRawMode: () => {} })
      const open = new Map(Object.entries(more.answers ?? {}))
      stderr.heard = text => {
        for (const [question, answer] of open) {
          if (!text.includes(question) || !open.delete(question)) continue
          setImmediate(() => stdin.push(`${answer}\r`))
        }
      }
    }
    const code = await run(words, {
      stdin,
      stdout: new Sink(stdout),
      stderr,
      env: { ...env, ...more.env },
      platform: 'linux',
      homeFolder: folder,
      hostName: 'bench',
      openBrowser: address => more.browse?.(address),
      signal: more.signal ?? new AbortController().signal,
    })
    return { code, stdout: stdout.text, stderr: stderr.text }
  }
  return { folder, env, command }
}
