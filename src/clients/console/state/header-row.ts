// Which row of a file names its columns: a title above it is no header. Pure.

export interface FirstLine {
  /** As the file counts them, from 1 on. */
  row: number
  text: string
}

const SHOWN = 12
const TEXT_MOST = 80

/** The first rows that hold anything, as their text. */
export function firstLines(text: string): FirstLine[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line, at) => ({ row: at + 1, text: line.replace(/^\uFEFF/, '') }))
    .filter(line => /[^,;\t\s"]/.test(line.text))
    .slice(0, SHOWN)
    .map(({ row, text: line }) => ({ row, text: line.length > TEXT_MOST ? `${line.slice(0, TEXT_MOST)}…` : line }))
}

/** How many bytes stand above the header, and the line breaks of these rows: written before the rest, lines keep their numbers. */
export function aboveHeader(bytes: Uint8Array, headerRow: number): { length: number; breaks: string } {
  let at = 0
  let breaks = ''
  for (let row = 1; row < headerRow && at < bytes.length; row++) {
    while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++
    const lineBreak = bytes[at] === LF ? '\n' : bytes[at + 1] === LF ? '\r\n' : '\r'
    breaks += lineBreak
    at += lineBreak.length
  }
  return { length: Math.min(at, bytes.length), breaks }
}

const LF = 10
const CR = 13
