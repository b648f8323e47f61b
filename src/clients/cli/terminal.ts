// The world around the command: streams, environment, interruption. Results go to stdout and everything said about them to
// stderr, so that a pipe carries nothing but data.

import type { Readable } from 'node:stream'
import wrapAnsi from 'wrap-ansi'
import { EXIT_FAILED, partsOf } from './failure.ts'
import type { Screen, Sink } from './sink.ts'
import { type Paint, paintFor, type Style } from './style.ts'
import { type Column, type Row, safeLines, safeText, Table, tabLines, textOf } from './table.ts'

export type Keyboard = Readable & {
  isTTY?: boolean | undefined
  setRawMode?: ((raw: boolean) => unknown) | undefined
}

export interface World {
  stdin: Keyboard
  stdout: Sink
  stderr: Screen
  env: Readonly<Record<string, string | undefined>>
  platform: string
  homeFolder: string
  hostName: string
  openBrowser(address: string): void
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export const SCREEN_WIDTH = 100
const NARROWEST_TEXT = 20

const PAIR: readonly Column[] = [{ key: 'name' }, { key: 'value' }]
const pairOf = ([name, value]: [string, unknown]): Row => ({ name, value })

/** Of a screen; what is no screen has no end of a line. */
export function widthOf(screen: Screen): number {
  return screen.isTTY ? (screen.columns ?? SCREEN_WIDTH) : Number.POSITIVE_INFINITY
}

/** Broken between words; what is indented stays so. Where a title stands before the text, `indent` is its width. */
export function wrapped(text: string, width: number, indent = 0): string {
  if (!Number.isFinite(width)) return text
  const lines = text.split('\n').flatMap(line => {
    const space = /^ */.exec(line)?.[0] ?? ''
    const room = Math.max(NARROWEST_TEXT, width - indent - space.length)
    return wrapAnsi(line.slice(space.length), room)
      .split('\n')
      .map(each => `${space}${each}`)
  })
  return lines.join(`\n${' '.repeat(indent)}`)
}

export class Output {
  readonly json: boolean
  readonly #world: World
  /** For what is said on stderr. */
  readonly paint: Paint
  #table: Table | undefined

  constructor(world: World, json: boolean) {
    this.#world = world
    this.json = json
    this.paint = paintFor(world.stderr, world.env)
  }

  /** Something to know that is not the result. */
  note(text: string): void {
    this.#say(wrapped(safeLines(text), widthOf(this.#world.stderr)))
  }

  /** One value: JSON for programs, otherwise what `lines` makes of it. */
  result(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.#world.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    else for (const each of lines()) this.#world.stdout.write(`${each}\n`)
  }

  /** Properties one below the other, in a pipe with a tab between name and value. */
  fields(value: Row): void {
    const { stdout, env } = this.#world
    const paint = paintFor(stdout, env)
    const width = Math.max(0, ...Object.keys(value).map(key => safeText(key).length))
    const screen = widthOf(stdout)
    const lineOf = (key: string) => {
      const title = paint('title', safeText(key).padEnd(width))
      return `${title}  ${wrapped(textOf(value[key]), screen, width + 2)}`
    }
    const pairs = () => tabLines(PAIR, Object.entries(value).map(pairOf))
    this.result(value, stdout.isTTY ? () => Object.keys(value).map(lineOf) : pairs)
  }

  /** A page or list: the value itself for programs, its rows as a table for people. */
  table(value: unknown, columns: readonly Column[], rows: readonly Row[]): void {
    this.result(value, () => this.#lines(columns, rows))
  }

  /**
   * Some rows of a list that goes on: one JSON document a line for programs. Whoever reads them slowly is waited for, until all
   * have been taken; with the last reader the list ends.
   */
  async rows(columns: readonly Column[], rows: readonly Row[], values: readonly unknown[] = rows): Promise<void> {
    const { stdout, signal } = this.#world
    const lines = this.json ? values.map(value => JSON.stringify(value)) : this.#lines(columns, rows)
    for (const each of lines) stdout.write(`${each}\n`)
    await stdout.taken(signal)
  }

  /** Rows as a table on stderr, for lists that belong to an error; nothing of them is cut. */
  noteTable(columns: readonly Column[], rows: readonly Row[]): void {
    const whole = columns.map((column, at) => (at < columns.length - 1 ? { ...column, isWhole: true } : column))
    const table = new Table(whole, rows, widthOf(this.#world.stderr), this.paint)
    this.#say([...table.header(), ...rows.flatMap(row => table.lines(row))].join('\n'))
  }

  /** Says what went wrong and gives the exit code. */
  failure(error: unknown): number {
    const { what, why, todo, details = [], data, exitCode = EXIT_FAILED } = partsOf(error)
    if (this.json) {
      this.#world.stderr.write(`${JSON.stringify({ error: { what, why, todo, ...data } })}\n`)
      return exitCode
    }
    this.#part('error', 'error:', what)
    this.#part('quiet', 'why:', why)
    for (const each of details) this.#part('quiet', '', `- ${each}`)
    this.#part('advice', 'do:', todo)
    return exitCode
  }

  #part(style: Style, title: string, text: string): void {
    const indent = 'error: '.length
    const body = wrapped(safeLines(text), widthOf(this.#world.stderr), indent)
    this.#say(`${this.paint(style, title.padEnd(indent))}${body}`)
  }

  #say(text: string): void {
    this.#world.stderr.write(`${text}\n`)
  }

  #lines(columns: readonly Column[], rows: readonly Row[]): string[] {
    const { stdout, env } = this.#world
    if (!stdout.isTTY) return tabLines(columns, rows)
    if (this.#table !== undefined) return rows.flatMap(row => this.#table?.lines(row) ?? [])
    const table = new Table(columns, rows, widthOf(stdout), paintFor(stdout, env))
    this.#table = table
    return [...table.header(), ...rows.flatMap(row => table.lines(row))]
  }
}
