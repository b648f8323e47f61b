// The file that somebody has chosen, with what its first bytes tell: from their disk, or one that the organization has stored. Of a
// workbook it is a sheet.
import type { FileFault, FilePreview } from '../../../features/loads/preview-shape.ts'
import type { FileRecord } from '../../typescript/index.ts'
import { isWorkbook } from '../../xlsx/workbook-kind.ts'
import { type ChosenSheet, convert, type Seen } from './chosen-workbook.ts'
import { aboveHeader, type FirstLine, firstLines } from './header-row.ts'
import { client } from './session.ts'

const FIRST_BYTES = 64 * 1024

export interface ChosenFile {
  name: string
  size: number
  /** To upload, or the id of what is stored. */
  source: File | string
  preview: FilePreview | FileFault | { fault: string }
  sheet?: ChosenSheet
  /** From disk: its first rows, and which of them names the columns. */
  header?: { of: File; lines: readonly FirstLine[]; row: number }
}

export interface Part {
  sheet?: string | undefined
  /** Counted from 1; rows above it are left out. */
  headerRow?: number | undefined
}

export async function lookInto(file: File, seen: Seen, { sheet, headerRow = 1 }: Part = {}): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer())
  if (isWorkbook(bytes)) return lookIntoSheet(file, seen, sheet, headerRow)
  const header = { of: file, lines: firstLines(new TextDecoder().decode(bytes)), row: headerRow }
  if (headerRow === 1) return { ...aboutOf(file), preview: await previewOf(bytes, file.size), header }
  const above = aboveHeader(bytes, headerRow)
  const rest = new File([above.breaks, file.slice(above.length)], file.name, { type: 'text/csv' })
  return { ...(await lookInto(rest, seen)), header }
}

async function lookIntoSheet(workbook: File, seen: Seen, name: string | undefined, row: number): Promise<ChosenFile> {
  const { csv, sheet, lines = [], fault = '' } = await convert(workbook, name, row, seen)
  if (!csv) return { ...aboutOf(workbook), preview: { fault }, ...(sheet && { sheet }) }
  return { ...(await lookInto(csv, seen)), header: { of: workbook, lines, row }, ...(sheet && { sheet }) }
}

const aboutOf = (file: File) => ({ name: file.name, size: file.size, source: file })

export async function lookIntoStored({ id, fileName, size }: FileRecord): Promise<ChosenFile> {
  const whole = size ?? 0
  const range = whole > FIRST_BYTES ? `bytes=0-${FIRST_BYTES - 1}` : undefined
  const bytes = new Uint8Array(await (await client.files.download({ id, range })).arrayBuffer())
  return { name: fileName, size: whole, source: id, preview: await previewOf(bytes, whole) }
}

/** The pipeline comes as a piece of its own, when the first file is chosen. */
async function previewOf(bytes: Uint8Array, size: number): Promise<FilePreview | FileFault> {
  const { previewFile } = await import('#load-preview')
  return previewFile(bytes, size <= FIRST_BYTES)
}

const FILES_AT_ONCE = 100
const PAGES_MOST = 10

/** Stored files that have their content, newest first, until there are enough of them. */
export async function storedFiles(
  contentTypes: readonly string[],
  signal: AbortSignal,
  isEnough: (files: readonly FileRecord[]) => boolean = () => true,
): Promise<FileRecord[]> {
  const criteria = { contentType: [...contentTypes], status: 'ready' }
  const order = { orderField: 'createdOn', order: 'desc' } as const
  const files: FileRecord[] = []
  let nextPageKey: string | undefined
  for (let page = 0; page < PAGES_MOST; page++) {
    const queryParams = { criteria, order, limit: FILES_AT_ONCE, nextPageKey }
    const read = await client.files.list({ queryParams, signal })
    files.push(...read.results)
    if (read.nextPageKey === null || isEnough(files)) break
    nextPageKey = read.nextPageKey
  }
  return files
}
