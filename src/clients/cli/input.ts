// Values from the command line, from files and from stdin: JSON and YAML documents, `key=value` pairs, numbers.

import { readFile } from 'node:fs/promises'
import { parse as parseYaml } from 'yaml'
import { EXIT_USAGE, Failure, usage } from './failure.ts'
import type { World } from './terminal.ts'

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export async function readStdin(world: World): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of world.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** A document in its place (`{"a": 1}`), in a file (`@path` or a path), or from stdin (`-`). */
export async function documentFrom(world: World, source: string): Promise<unknown> {
  if (source === '-') return parseDocument(await readStdin(world), 'stdin')
  if (/^\s*[[{]/.test(source)) return parseDocument(source, 'the argument')
  const file = source.startsWith('@') ? source.slice(1) : source
  return parseDocument(await readText(file), file)
}

export async function objectFrom(world: World, source: string): Promise<Record<string, unknown>> {
  const value = await documentFrom(world, source)
  if (isRecord(value)) return value
  throw usage(`${source} does not hold an object.`, 'Give a JSON or YAML document of the form {"name": "…"}.')
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const todo = 'Check the path. A document may also stand in its place as JSON, or come from stdin with `-`.'
    throw new Failure({ what: `The file ${file} cannot be read.`, why, todo, exitCode: EXIT_USAGE })
  }
}

/** JSON is YAML, but JSON's own messages are better and its parser faster. */
export function parseDocument(text: string, where: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : parseYaml(text, { maxAliasCount: 100 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const todo = 'Correct the document; it must be JSON or YAML.'
    throw new Failure({ what: `The document in ${where} cannot be parsed.`, why, todo, exitCode: EXIT_USAGE })
  }
}

/** `price=12.5` is a number, `name=Shirt` text, `code="12"` text: a value that is JSON is taken as JSON. */
export function pairsOf(option: string, pairs: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1)
      throw usage(`${JSON.stringify(pair)} is not of the form key=value.`, `Write for example ${option} name=Shirt.`)
    found[pair.slice(0, at)] = jsonOrText(pair.slice(at + 1))
  }
  return found
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
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

export function commaList(text: string): string[] {
  return text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}
