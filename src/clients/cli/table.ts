// Tables for people, tab-separated lines for pipes. Pure. Values come from anywhere, so that control characters, which could
// rewrite a terminal, are made visible here and nowhere else.

export type Cell = unknown
export type Row = Readonly<Record<string, Cell>>

export interface Column {
  /** Property of the row. */
  key: string
  title?: string
  align?: 'right'
}

const GAP = '  '
const SHORTEST_CUT = 8

/** C0 and C1 controls, DEL, and the marks that turn the direction of text around. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const NO_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200d]/u

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

export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += NO_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1
  return width
}

export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const char of text) {
    if (widthOf(kept + char) > width - 1) break
    kept += char
  }
  return `${kept}…`
}

/** Lines without a header for pipes: values between tabs, nothing cut. */
export function tabLines(columns: readonly Column[], rows: readonly Row[]): string[] {
  return rows.map(row => columns.map(column => textOf(row[column.key])).join('\t'))
}

/** Widths that fit the screen: the widest columns give way first, the last resort is to cut them short. */
export function widthsFor(columns: readonly Column[], rows: readonly Row[], screen: number): number[] {
  const widths = columns.map(column =>
    Math.max(widthOf(titleOf(column)), ...rows.map(row => widthOf(textOf(row[column.key])))),
  )
  const room = screen - GAP.length * (columns.length - 1)
  for (let over = sum(widths) - room; over > 0; over--) {
    const widest = Math.max(...widths)
    if (widest <= SHORTEST_CUT) break
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return widths
}

export function headerLine(columns: readonly Column[], widths: readonly number[]): string {
  return line(columns, widths, columns.map(titleOf))
}

export function rowLine(columns: readonly Column[], widths: readonly number[], row: Row): string {
  return line(
    columns,
    widths,
    columns.map(column => textOf(row[column.key])),
  )
}

function line(columns: readonly Column[], widths: readonly number[], cells: readonly string[]): string {
  const padded = cells.map((cell, i) => {
    const width = widths[i] ?? 0
    const text = cut(cell, width)
    const space = ' '.repeat(Math.max(0, width - widthOf(text)))
    return columns[i]?.align === 'right' ? space + text : text + space
  })
  return padded.join(GAP).trimEnd()
}

function titleOf(column: Column): string {
  return (column.title ?? column.key).toUpperCase()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
