// Tables for people, tab-separated lines for pipes. Pure. Values come from anywhere, so that control characters, which could
// rewrite a terminal, are made visible here and nowhere else.

import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { type Paint, styleOfState } from './style.ts'

export type Cell = unknown
export type Row = Readonly<Record<string, Cell>>

export interface Column {
  /** Property of the row. */
  key: string
  title?: string
  align?: 'right'
  /** Never cut: what is copied from the screen into the next command. Ids and times are, by their names. */
  isWhole?: boolean
  /** Of the last column: broken between words instead of cut. */
  isWrapped?: boolean
  /** Shorter than in a pipe. */
  onScreen?: (row: Row) => Cell
}

const GAP = '  '
const SHORTEST_CUT = 8
const SHORTEST_WRAP = 12
const PLAIN: Paint = (_style, text) => text

const KEYS = new Set(['federatedId', 'identifier', 'typePath'])

/** C0 and C1 controls, DEL, and the marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
/** Milliseconds are for programs. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/

export function safeText(text: string): string {
  return text.replace(UNSAFE, char => (char === '\n' ? '⏎' : char === '\t' ? ' ' : '\ufffd'))
}

/** The same, but line breaks stay: for texts that are printed as blocks. */
export function safeLines(text: string): string {
  return text.split('\n').map(safeText).join('\n')
}

export function textOf(value: Cell): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return safeText(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return safeText(JSON.stringify(value) ?? '')
}

export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Lines without a header for pipes: values between tabs, nothing cut. */
export function tabLines(columns: readonly Column[], rows: readonly Row[]): string[] {
  return rows.map(row => columns.map(column => textOf(row[column.key])).join('\t'))
}

/** The layout of a table for a screen. Rows that come later use the widths of the first. */
export class Table {
  readonly #columns: readonly Column[]
  readonly #widths: readonly number[]
  readonly #paint: Paint
  /** The columns do not fit beside each other: each row becomes a block. */
  readonly isBlocks: boolean

  constructor(columns: readonly Column[], rows: readonly Row[], screen: number, paint: Paint = PLAIN) {
    this.#paint = paint
    const filled = columns.filter(column => rows.some(row => shown(column, row) !== ''))
    const widths = widthsFor(columns, rows, screen)
    const fewer = widths === undefined ? widthsFor(filled, rows, screen) : undefined
    this.isBlocks = widths === undefined && fewer === undefined
    this.#columns = fewer === undefined ? columns : filled
    this.#widths = widths ?? fewer ?? []
  }

  header(): string[] {
    if (this.isBlocks) return []
    const cells = this.#columns.map(titleOf).map((title, at) => this.#padded(at, title))
    return [this.#paint('title', cells.join(GAP).trimEnd())]
  }

  lines(row: Row): string[] {
    if (this.isBlocks) return [...this.#block(row), '']
    const last = this.#columns.length - 1
    const wrapped = this.#columns[last]?.isWrapped ? this.#wrapped(last, row) : undefined
    const cells = this.#columns.map((column, at) => {
      const text = at === last && wrapped ? (wrapped[0] ?? '') : shown(column, row)
      return this.#colored(text, this.#padded(at, text))
    })
    const indent = this.#widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0)
    const more = wrapped?.slice(1).map(text => `${' '.repeat(indent)}${text}`) ?? []
    return [cells.join(GAP).trimEnd(), ...more]
  }

  #block(row: Row): string[] {
    const width = Math.max(...this.#columns.map(column => stringWidth(titleOf(column))))
    return this.#columns
      .map(column => ({ title: titleOf(column), text: shown(column, row) }))
      .filter(({ text }) => text !== '')
      .map(({ title, text }) => `${this.#paint('title', padTo(title, width))}${GAP}${this.#colored(text, text)}`)
  }

  #wrapped(at: number, row: Row): string[] {
    const column = this.#columns[at]
    return column === undefined ? [] : wrapAnsi(shown(column, row), this.#widths[at] ?? 0).split('\n')
  }

  #padded(at: number, text: string): string {
    const width = this.#widths[at] ?? 0
    const column = this.#columns[at]
    const kept = column !== undefined && isWhole(column) ? text : cut(text, width)
    return column?.align === 'right' ? padTo(kept, width, 'start') : padTo(kept, width)
  }

  #colored(text: string, cell: string): string {
    const style = styleOfState(text)
    return style === undefined ? cell : this.#paint(style, cell)
  }
}

/** Widths that fit beside each other; undefined where that would take more than may be cut. */
function widthsFor(columns: readonly Column[], rows: readonly Row[], screen: number): number[] | undefined {
  const room = screen - GAP.length * (columns.length - 1)
  const widths = columns.map(column =>
    Math.max(stringWidth(titleOf(column)), ...rows.map(row => stringWidth(shown(column, row)))),
  )
  // Keys give way only where names alone cannot.
  return (
    narrowed(columns, widths, room, column => isWhole(column) || KEYS.has(column.key)) ??
    narrowed(columns, widths, room, isWhole)
  )
}

function narrowed(
  columns: readonly Column[],
  natural: readonly number[],
  room: number,
  isKept: (column: Column) => boolean,
): number[] | undefined {
  const widths = [...natural]
  const least = columns.map((column, at) => {
    const width = widths[at] ?? 0
    return isKept(column) ? width : Math.min(width, column.isWrapped ? SHORTEST_WRAP : SHORTEST_CUT)
  })
  if (sum(least) > room) return undefined
  for (let over = sum(widths) - room; over > 0; over--) {
    const spare = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0))
    const widest = spare.lastIndexOf(Math.max(...spare))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function isWhole({ key, isWhole: said }: Column): boolean {
  return said ?? ((key === 'id' || /(Id|On)$/.test(key)) && key !== 'federatedId')
}

function shown(column: Column, row: Row): string {
  return textOf(column.onScreen ? column.onScreen(row) : row[column.key]).replace(TIME, '$1Z')
}

function padTo(text: string, width: number, side: 'start' | 'end' = 'end'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return side === 'start' ? space + text : text + space
}

function titleOf(column: Column): string {
  return (column.title ?? column.key).toUpperCase()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
