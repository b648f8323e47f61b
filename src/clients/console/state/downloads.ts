// Files that the page itself makes, or fetches with a key that no link could carry.

export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A cell that a spreadsheet would take for a formula is told as text. */
const cellText = (text: string) => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export const csvText = (rows: readonly (readonly string[])[]) =>
  rows.map(row => `${row.map(cellText).join(',')}\r\n`).join('')

export function saveCsv(fileName: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  saveBlob(new Blob([csvText([head, ...rows])], { type: 'text/csv' }), fileName)
}
