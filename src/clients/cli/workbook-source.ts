// The table that a load uploads: a CSV file as it is, or one sheet of a workbook, converted while it goes up.

import { open, readFile } from 'node:fs/promises'
import { sheetCsv, sheetNamed, sheetNames, WorkbookError } from '../xlsx/sheet-csv.ts'
import { isOldWorkbook, isWorkbook } from '../xlsx/workbook-kind.ts'
import { type Source, sourceOf } from './commands/files.ts'
import { EXIT_USAGE, Failure, usage } from './failure.ts'
import type { World } from './terminal.ts'

const MAGIC_BYTES = 4
const CHUNK_CHARACTERS = 64 * 1024

export async function tableOf(world: World, file: string, sheet: string | undefined): Promise<Source> {
  const source = await sourceOf(world, file)
  // What is no file gives its bytes once: those that were looked at would be missing in the table.
  const start = source.size === undefined ? new Uint8Array() : await firstBytes(file)
  if (isOldWorkbook(start)) {
    const todo = 'Open it in Excel and save it as an Excel workbook (.xlsx) without a password, or as CSV UTF-8.'
    throw usage(`${file} is an old Excel workbook, or has a password.`, todo, 'Such files cannot be converted here.')
  }
  if (!isWorkbook(start)) {
    if (sheet === undefined)
      return source.size === undefined ? { ...source, content: noWorkbook(source.content) } : source
    throw usage('--sheet goes with an Excel workbook only.', 'Leave it out.', `${file} is not an .xlsx file.`)
  }
  const workbook = await readFile(file)
  const name = await chosen(file, workbook, sheet)
  const fileName = `${source.fileName.replace(/\.\w+$/, '')} - ${name}.csv`
  return { content: bytesOf(file, sheetCsv(workbook, name)), fileName, contentType: 'text/csv', size: undefined }
}

/** A CSV file alone may come as it is read. */
async function* noWorkbook(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const bytes of content) {
    if (isFirst && isWorkbook(bytes)) {
      throw usage(
        'What comes through the pipe is an Excel workbook.',
        'Save it as a file, and name that: its sheet is then converted.',
        'A workbook is read from its end.',
      )
    }
    isFirst = false
    yield bytes
  }
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function chosen(file: string, workbook: Uint8Array, sheet: string | undefined): Promise<string> {
  const names = await sheetNames(workbook).catch(error => Promise.reject(unreadable(file, error)))
  const listed = names.map(name => JSON.stringify(name)).join(', ')
  const [only] = names
  if (sheet === undefined && names.length === 1 && only !== undefined) return only
  const named = sheet === undefined ? undefined : await sheetNamed(workbook, sheet)
  if (named !== undefined) return named
  const what =
    sheet === undefined ? `${file} has ${names.length} sheets.` : `${file} has no sheet ${JSON.stringify(sheet)}.`
  throw usage(what, 'Choose one with --sheet.', `Its sheets: ${listed}.`)
}

/** In pieces of a useful size, with what is wrong told as the command tells it. */
async function* bytesOf(file: string, lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  try {
    for await (const line of lines) {
      text += line
      if (text.length < CHUNK_CHARACTERS) continue
      yield encoder.encode(text)
      text = ''
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  if (text !== '') yield encoder.encode(text)
}

function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof WorkbookError)) return error
  const todo = 'Correct the workbook, or save the sheet as CSV UTF-8 and load that.'
  return new Failure({ what: `${file} cannot be loaded.`, why: error.message, todo, exitCode: EXIT_USAGE })
}
