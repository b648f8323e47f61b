// Values from the command line, from files and from stdin: JSON and YAML documents, `key=value` pairs, numbers.

import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { parseDocument as parseYaml } from 'yaml'
import { isWorkbook } from '../xlsx/workbook-kind.ts'
import { EXIT_USAGE, Failure, usage } from './failure.ts'
import { lossyNumberIn, lossyNumberInYaml } from './lossy-number.ts'
import type { World } from './terminal.ts'

/** Editors of Windows put it before a text. */
const BYTE_ORDER_MARK = /^\uFEFF/
const BY_HAND_MAX_CHARACTERS = 64 * 1024

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Ends with a failure when the command is interrupted: whoever should write there may never do. */
export async function* stdinOf({ stdin, signal }: World): AsyncGenerator<Uint8Array> {
  yield* addAbortSignal(signal, stdin)
}

async function readStdin(world: World): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdinOf(world)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A document in its place (`{"a": 1}`), in a file (`@path` or a path), or from stdin (`-`). */
export async function documentFrom(world: World, source: string): Promise<unknown> {
  if (source === '-') return wholeDocument(textIn(await readStdin(world), 'stdin'), 'stdin')
  if (/^\s*[[{]/.test(source)) return wholeDocument(source, 'the argument')
  const file = source.startsWith('@') ? source.slice(1) : source
  return wholeDocument(textIn(await readBytes(file), file), file)
}

/** JSON.parse takes the last of two that have one name; what is written by hand is looked through for them. */
function wholeDocument(text: string, where: string): unknown {
  const value = parseDocument(text, where)
  if (text.length > BY_HAND_MAX_CHARACTERS) return value
  const twice = parseYaml(text.replace(BYTE_ORDER_MARK, '')).errors.find(({ code }) => code === 'DUPLICATE_KEY')
  if (twice) throw notParsed(where, twice.message)
  return value
}

function textIn(bytes: Uint8Array, where: string): string {
  if (isWorkbook(bytes)) {
    throw usage(`${where} is an Excel workbook.`, 'Name a JSON or YAML file here.', 'Here a document is expected.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw usage(`The document in ${where} is not UTF-8.`, 'Save it as UTF-8.')
  }
}

export async function objectFrom(world: World, source: string): Promise<Record<string, unknown>> {
  const value = await documentFrom(world, source)
  if (isRecord(value)) return value
  throw usage(`${source} does not hold an object.`, 'Give a JSON or YAML document of the form {"name": "…"}.')
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const todo = 'Check the path. A document may also stand in its place as JSON, or come from stdin with `-`.'
    throw new Failure({ what: `The file ${file} cannot be read.`, why, todo, exitCode: EXIT_USAGE })
  }
}

export function parseDocument(text: string, where: string): unknown {
  const { value, lossy } = parsed(text.replace(BYTE_ORDER_MARK, ''), where)
  if (lossy !== undefined) throw lossyNumber(lossy, where, `Write it in quotes, as the text "${lossy}".`)
  return value
}

/** JSON is YAML, but JSON's own messages are better and its parser faster. */
function parsed(text: string, where: string): { value: unknown; lossy: string | undefined } {
  try {
    if (/^\s*[[{]/.test(text)) return { value: JSON.parse(text), lossy: lossyNumberIn(text) }
    const document = parseYaml(text)
    const [error] = document.errors
    if (error) throw error
    return { value: document.toJS({ maxAliasCount: 100 }), lossy: lossyNumberInYaml(document) }
  } catch (error) {
    throw notParsed(where, error instanceof Error ? error.message : String(error))
  }
}

function notParsed(where: string, why: string): Failure {
  const todo = 'Correct the document; it must be JSON or YAML.'
  return new Failure({ what: `The document in ${where} cannot be parsed.`, why, todo, exitCode: EXIT_USAGE })
}

function lossyNumber(lossy: string, where: string, todo: string): Failure {
  const why = 'It has more digits than a number can have, or is too large: another one would be sent.'
  return usage(`The number ${lossy} in ${where} cannot be sent as it is.`, todo, why)
}

/** `price=12.5` is a number, `name=Shirt` text, `code="12"` text: a value that is JSON is taken as JSON. */
export function pairsOf(option: string, pairs: readonly string[]): Record<string, unknown> {
  const found = new Map<string, unknown>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1)
      throw usage(`${JSON.stringify(pair)} is not of the form key=value.`, `Write for example ${option} name=Shirt.`)
    found.set(pair.slice(0, at), jsonOrText(pair.slice(at + 1), `${option} ${pair}`))
  }
  return Object.fromEntries(found)
}

export function jsonOrText(text: string, where: string): unknown {
  const value = jsonIn(text)
  const lossy = value === undefined ? undefined : lossyNumberIn(text)
  if (lossy !== undefined) throw lossyNumber(lossy, where, `Quote it to have it as text: '"${lossy}"'.`)
  return value === undefined ? text : value
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function wholeNumber(what: string, text: string, least = 1): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= least && text.trim() !== '') return value
  throw usage(
    `${what} must be a whole number of at least ${least}, not ${JSON.stringify(text)}.`,
    'Correct the number.',
  )
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** Of a variable that is unset nothing is left: dropped, it would mean all there is. */
export function commaList(option: string, text: string): string[] {
  const names = text.split(',').map(each => each.trim())
  if (!names.includes('')) return names
  throw usage(
    `${option} ${JSON.stringify(text)} names nothing, or leaves a name out.`,
    'Give names with commas between them, or leave the option out.',
  )
}
