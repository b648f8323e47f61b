// Rows as CSV. Pure.

/** A cell that a spreadsheet would take for a formula is told as text. */
const cellText = (text: string) => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export const csvText = (rows: readonly (readonly string[])[]) =>
  rows.map(row => `${row.map(cellText).join(',')}\r\n`).join('')
