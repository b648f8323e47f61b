// The file that somebody has chosen, with what its first bytes tell: from their disk, or one that the organization has stored.
import type { FileFault, FilePreview } from '../../../features/loads/preview-shape.ts'
import type { FileRecord } from '../../typescript/index.ts'
import { client } from './session.ts'

const FIRST_BYTES = 64 * 1024

export interface ChosenFile {
  name: string
  size: number
  /** To upload, or the id of what is stored. */
  source: File | string
  preview: FilePreview | FileFault
}

export async function lookInto(file: File): Promise<ChosenFile> {
  const bytes = await file.slice(0, FIRST_BYTES).arrayBuffer()
  return { name: file.name, size: file.size, source: file, preview: await previewOf(bytes, file.size) }
}

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

/** Stored CSV files that have their content, newest first. */
export async function storedFiles(contentTypes: readonly string[], signal: AbortSignal): Promise<FileRecord[]> {
  const criteria = { contentType: [...contentTypes], status: 'ready' }
  const order = { orderField: 'createdOn', order: 'desc' } as const
  return (await client.files.list({ queryParams: { criteria, order, limit: 50 }, signal })).results
}
