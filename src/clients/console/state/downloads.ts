// Files that the page itself makes, or fetches with a key that no link could carry.
import { csvText } from './csv-text.ts'

export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

export const saveText = (fileName: string, text: string, type: string): void =>
  saveBlob(new Blob([text], { type }), fileName)

export function saveCsv(fileName: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  saveText(fileName, csvText([head, ...rows]), 'text/csv')
}
