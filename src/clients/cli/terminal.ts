// The world around the command: streams, environment, interruption. Results go to stdout and everything said about them to
// stderr, so that a pipe carries nothing but data.

import type { Readable, Writable } from 'node:stream'
import { EXIT_FAILED, partsOf } from './failure.ts'
import {
  type Column,
  headerLine,
  type Row,
  rowLine,
  safeLines,
  safeText,
  tabLines,
  textOf,
  widthsFor,
} from './table.ts'

export type Screen = Writable & {
  isTTY?: boolean | undefined
  columns?: number | undefined
}

export type Keyboard = Readable & {
  isTTY?: boolean | undefined
  setRawMode?: ((raw: boolean) => unknown) | undefined
}

export interface World {
  stdin: Keyboard
  stdout: Screen
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

export class Output {
  readonly json: boolean
  readonly #world: World
  #widths: number[] | undefined

  constructor(world: World, json: boolean) {
    this.#world = world
    this.json = json
  }

  /** Something to know that is not the result. */
  note(text: string): void {
    this.#world.stderr.write(`${safeLines(text)}\n`)
  }

  /** One value: JSON for programs, otherwise what `lines` makes of it. */
  result(value: unknown, lines: () => readonly string[]): void {
    if (this.json) this.#world.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    else for (const each of lines()) this.#world.stdout.write(`${each}\n`)
  }

  /** Properties one below the other. */
  fields(value: Row): void {
    const width = Math.max(0, ...Object.keys(value).map(key => safeText(key).length))
    this.result(value, () => Object.keys(value).map(key => `${safeText(key).padEnd(width)}  ${textOf(value[key])}`))
  }

  /** A page or list: the value itself for programs, its rows as a table for people. */
  table(value: unknown, columns: readonly Column[], rows: readonly Row[]): void {
    this.result(value, () => this.#lines(columns, rows))
  }

  /** Some rows of a list that goes on: one JSON document a line for programs. */
  rows(columns: readonly Column[], rows: readonly Row[], values: readonly unknown[] = rows): void {
    const lines = this.json ? values.map(value => JSON.stringify(value)) : this.#lines(columns, rows)
    for (const each of lines) this.#world.stdout.write(`${each}\n`)
  }

  /** Rows as a table on stderr, for lists that belong to an error; nothing of them is cut. */
  noteTable(columns: readonly Column[], rows: readonly Row[]): void {
    const widths = widthsFor(columns, rows, Number.POSITIVE_INFINITY)
    this.note([headerLine(columns, widths), ...rows.map(row => rowLine(columns, widths, row))].join('\n'))
  }

  /** Says what went wrong and gives the exit code. */
  failure(error: unknown): number {
    const { what, why, todo, details = [], data, exitCode = EXIT_FAILED } = partsOf(error)
    if (this.json) {
      this.#world.stderr.write(`${JSON.stringify({ error: { what, why, todo, ...data } })}\n`)
    } else {
      const lines = [`error: ${what}`, `why:   ${why}`, ...details.map(each => `       - ${each}`), `do:    ${todo}`]
      this.note(lines.join('\n'))
    }
    return exitCode
  }

  #lines(columns: readonly Column[], rows: readonly Row[]): string[] {
    if (!this.#world.stdout.isTTY) return tabLines(columns, rows)
    const first = this.#widths === undefined
    this.#widths ??= widthsFor(columns, rows, this.#world.stdout.columns ?? SCREEN_WIDTH)
    const widths = this.#widths
    const lines = rows.map(row => rowLine(columns, widths, row))
    return first ? [headerLine(columns, widths), ...lines] : lines
  }
}
