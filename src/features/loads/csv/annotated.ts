// A row of the annotated file: what is said of it stands first, so that a row that is wrong stays as wrong as it was. Pure.
import { guardedRaw, writeCell, writeHeader } from '../../../platform/formats/csv-cell.ts'
import { REPORT_COLUMNS } from '../rows/columns.ts'
import type { Dialect } from './dialect.ts'
import type { MalformedCells } from './records.ts'

const isOwn = (name = '') => REPORT_COLUMNS.includes(name)

/** Rows that a malformed one had taken in stand in its annotated file without the two cells in front. */
export function addMissing(cells: string[], names: readonly string[]): void {
  if (cells.length === names.length - 2 && isBare(cells, names)) cells.unshift('', '')
}

const isBare = (cells: readonly string[], names: readonly string[]) =>
  isOwn(names[0]) && isOwn(names[1]) && !isAnnotated(cells)

const isAnnotated = ([line = '', said = '']: readonly string[]) => /^\d+$/.test(line) && /^$|: /.test(said)

export function annotatedHeader(names: readonly string[], { delimiter }: Dialect): string {
  return writeHeader([...REPORT_COLUMNS, ...names.filter(name => !isOwn(name))], delimiter)
}

/** A malformed cell may have taken in the rows that follow: written in quotes that are right, it would hide them. */
export function annotatedRow(
  said: readonly string[],
  cells: readonly string[],
  malformed: MalformedCells | undefined,
  { names, dialect: { delimiter, lineBreak } }: { names: readonly string[]; dialect: Dialect },
): string {
  const isWhole = (!malformed && cells.length === names.length) || !isBare(cells, names)
  const asInFile = cells.flatMap((cell, at) => {
    const raw = malformed?.get(at)
    if (raw === undefined) return isWhole && isOwn(names[at]) ? [] : writeCell(cell, delimiter)
    return guardedRaw(lineBreak === '\r' ? raw.replaceAll('\r', '\r\n') : raw)
  })
  return `${[...said.map(text => writeCell(text, delimiter)), ...asInFile].join(delimiter)}\r\n`
}
