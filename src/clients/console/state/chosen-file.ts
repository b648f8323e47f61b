// The file that somebody has chosen, with what its first bytes tell: from their disk, or one that the organization has stored. Of a
// workbook it is a sheet.
import type { FileFault, FilePreview } from '../../../features/loads/preview-shape.ts'
import type { FileRecord } from '../../typescript/index.ts'
import { isWorkbook } from '../../xlsx/workbook-kind.ts'
import { type ChosenSheet, convert, type Seen } from './chosen-workbook.ts'
import { client } from './session.ts'

const FIRST_BYTES = 64 * 1024

export interface ChosenFile {
  name: string
  size: number
  /** To upload, or the id of what is stored. */
  source: File | string
  preview: FilePreview | FileFault | { fault: string }
  sheet?: ChosenSheet
}

export async function lookInto(file: File, seen: Seen, sheet?: string): Promise<ChosenFile> {
  const bytes = await file.slice(0, FIRST_BYTES).arrayBuffer()
  if (isWorkbook(new Uint8Array(bytes))) return lookIntoSheet(file, seen, sheet)
  return { ...aboutOf(file), preview: await previewOf(bytes, file.size) }
}

async function lookIntoSheet(workbook: File, seen: Seen, name: string | undefined): Promise<ChosenFile> {
  const { csv, sheet, fault = '' } = await convert(workbook, name, seen)
  const chosen = csv ? await lookInto(csv, seen) : { ...aboutOf(workbook), preview: { fault } }
  return sheet ? { ...chosen, sheet } : chosen
}

const aboutOf = (file: File) => ({ name: file.name, size: file.size, source: file })

export async function lookIntoStored({ id, fileName, size }: FileRecord): Promise<ChosenFile> {
  const whole = size ?? 0
  const range = whole > FIRST_BYTES ? `bytes=0-${FIRST_BYTES - 1}` : undefined
  const bytes = await (await client.files.download({ id, range })).arrayBuffer()
  return { name: fileName, size: whole, source: id, preview: await previewOf(bytes, whole) }
}

/** The pipeline comes as a piece of its own, when the first file is chosen. */
async function previewOf(bytes: ArrayBuffer, size: number): Promise<FilePreview | FileFault> {
  const { previewFile } = await import('#load-preview')
  return previewFile(new Uint8Array(bytes), size <= FIRST_BYTES)
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
