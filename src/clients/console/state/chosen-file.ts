// The file that somebody has chosen, with what its first bytes tell.
import type { FileFault, FilePreview } from '../../../features/loads/preview-shape.ts'

const FIRST_BYTES = 64 * 1024

export interface ChosenFile {
  file: File
  preview: FilePreview | FileFault
}

/** The pipeline comes as a piece of its own, when the first file is chosen. */
export async function lookInto(file: File): Promise<ChosenFile> {
  const { previewFile } = await import('#load-preview')
  const bytes = new Uint8Array(await file.slice(0, FIRST_BYTES).arrayBuffer())
  return { file, preview: previewFile(bytes, file.size <= FIRST_BYTES) }
}
