// Values as people type and paste them: by property type where there is one, else in the kind that the cell had. Pure.
import type { TypeProperty } from '../../typescript/index.ts'
import { numbers } from './number-text.ts'

/** What an editor begins with, and what a copied cell holds. */
export function cellText(value: unknown, property?: TypeProperty): string {
  if (value === null || value === undefined) return ''
  if (property?.propertyType === 'json') return JSON.stringify(value)
  if (typeof value === 'number') return numbers.bareText(value)
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value.join(' | ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export type Parsed = { value: unknown } | { fault: string }

const NUMBERS = new Set(['number', 'currency', 'percent'])
const YES = new Set(['true', 'yes', '1'])
const NO = new Set(['false', 'no', '0'])

/** An empty cell clears the property. */
export function parseCell(text: string, property: TypeProperty | undefined, before: unknown): Parsed {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  const type = property?.propertyType ?? kindOf(before)
  if (NUMBERS.has(type)) return numbers.read(type === 'percent' ? trimmed.replace(/%$/, '') : trimmed)
  switch (type) {
    case 'boolean':
      return parseBoolean(trimmed)
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? { value: trimmed } : { fault: 'Write the date as YYYY-MM-DD.' }
    case 'choice':
      return parseOption(trimmed, property)
    case 'multi_select':
      return parseOptions(trimmed, property)
    case 'object_ref_list':
      return { value: listOf(trimmed) }
    case 'json':
      return parseJson(trimmed)
    default:
      return { value: text }
  }
}

/** An empty cell that no type describes: in the kind that others have, where the text is of it. */
export function parseLike(text: string, property: TypeProperty | undefined, sample: unknown): Parsed {
  const parsed = parseCell(text, property, sample)
  return 'fault' in parsed && !property ? parseCell(text, undefined, undefined) : parsed
}

function kindOf(before: unknown): string {
  if (Array.isArray(before)) return before.every(each => typeof each === 'string') ? 'object_ref_list' : 'json'
  if (typeof before === 'object' && before !== null) return 'json'
  return typeof before
}

const listOf = (text: string) =>
  text
    .split('|')
    .map(part => part.trim())
    .filter(part => part !== '')

function parseBoolean(text: string): Parsed {
  const word = text.toLowerCase()
  if (YES.has(word)) return { value: true }
  return NO.has(word) ? { value: false } : { fault: 'Write yes or no.' }
}

function optionIn(text: string, property: TypeProperty | undefined): string | undefined {
  const options = (property?.options ?? []).map(option => (typeof option === 'string' ? { value: option } : option))
  const found =
    options.find(({ value }) => value === text) ??
    options.find(option => ('label' in option ? option.label : option.value)?.toLowerCase() === text.toLowerCase())
  return found?.value
}

function parseOption(text: string, property: TypeProperty | undefined): Parsed {
  const value = optionIn(text, property)
  return value === undefined ? { fault: `${text} is none of the options.` } : { value }
}

function parseOptions(text: string, property: TypeProperty | undefined): Parsed {
  const parts = listOf(text)
  const values = parts.map(part => optionIn(part, property))
  const missing = parts.find((_, at) => values[at] === undefined)
  return missing === undefined ? { value: values } : { fault: `${missing} is none of the options.` }
}

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { fault: 'This is no JSON.' }
  }
}

/** A block as spreadsheets copy it: tabs between cells, quoted cells with line breaks in them. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  const body = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  for (let at = 0; at < body.length; at++) {
    const letter = body[at] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (body[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === '\t') endCell()
    else if (letter === '\n') {
      endCell()
      rows.push([])
    } else cell += letter
  }
  endCell()
  return rows
}

export function blockText(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map(row => row.map(quoted).join('\t')).join('\n')
}
