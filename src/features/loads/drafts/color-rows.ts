// The two ways to say a color (N32): complete red, green and blue win and make hex, else hex makes them.
import { shown } from '../rows/cell-readers.ts'
import type { ReservedCells } from './reserved-cells.ts'

const PARTS = ['red', 'green', 'blue'] as const
const HEX = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

export function colorFields(cells: ReservedCells): Record<string, unknown> {
  const hex = cells.textOf('hex')
  const parts = PARTS.map(part => cells.textOf(part))
  if (hex === undefined && parts.every(part => part === undefined)) return {}
  const read = parts.map((part, at) => readPart(part, PARTS[at] ?? 'red', cells))
  const isHex = !hex || HEX.test(hex)
  if (!isHex) {
    cells.issues.error(cells.line, 'hex', 'INVALID_DATA', `${shown(hex)} is not a color such as #1a2b3c.`)
  }
  if (!isHex || read.includes(undefined)) return {}
  const [red, green, blue] = read
  if (typeof red === 'number' && typeof green === 'number' && typeof blue === 'number') {
    const made = hexOf([red, green, blue])
    return { red, green, blue, hex: hex && fromHex(hex).hex === hex && made === hex.toLowerCase() ? hex : made }
  }
  if (hex) return fromHex(hex)
  // A row that has neither a hex nor all three parts cannot clear what its other columns do not speak of (N73).
  const isWhole = hex !== undefined || !parts.includes(undefined)
  if (!isWhole || read.some(part => typeof part === 'number')) {
    cells.issues.warn(
      cells.line,
      'red',
      'MISSING_DATA',
      'Red, green and blue are incomplete and there is no hex; left out.',
    )
    return {}
  }
  return { hex: null, red: null, green: null, blue: null }
}

/** `null`: not given. Undefined: cannot be read, and said so. */
function readPart(
  text: string | undefined,
  column: string,
  { line, issues }: ReservedCells,
): number | null | undefined {
  if (text === undefined || text === '') return null
  const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (number <= 255) return number
  issues.error(line, column, 'INVALID_DATA', `${shown(text)} is not a whole number from 0 to 255.`)
  return undefined
}

function hexOf(parts: number[]): string {
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

function fromHex(text: string): { hex: string } & Record<string, unknown> {
  const digits = text.replace('#', '')
  const full = digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits
  const [red, green, blue] = [0, 2, 4].map(at => Number.parseInt(full.slice(at, at + 2), 16))
  return { hex: `#${full}`, red, green, blue }
}
