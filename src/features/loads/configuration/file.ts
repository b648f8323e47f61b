// A configuration file in YAML or JSON, and its union with what stands inline. Aliases and size are bounded: a file of
// a few lines could otherwise grow to gigabytes.
import { parseDocument } from 'yaml'
import type { FieldError } from '../../../platform/errors.ts'
import { KB, LOAD_CONFIGURATION_MAX_BYTES } from '../../../platform/limits.ts'

const ALIASES_MAX = 100

export type FileContent = { content: Record<string, unknown> } | { faults: FieldError[] }

const at = '/loaderConfigurationId'

export function readConfigurationFile(text: string): FileContent {
  if (text.length > LOAD_CONFIGURATION_MAX_BYTES) {
    return { faults: [{ path: at, message: `The file is larger than ${LOAD_CONFIGURATION_MAX_BYTES / KB} KB.` }] }
  }
  const read = /^\s*[{[]/.test(text) ? readJson(text) : readYaml(text)
  if ('faults' in read) return read
  const { content } = read
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    const message = 'The file does not hold an object with properties such as loadType. Is it the configuration?'
    return { faults: [{ path: at, message }] }
  }
  if ('loaderConfigurationId' in content) {
    return { faults: [{ path: at, message: 'The file cannot refer to another configuration file.' }] }
  }
  return { content: content as Record<string, unknown> }
}

type Read = { content: unknown } | { faults: FieldError[] }

/** What begins with a brace may be YAML as well. */
function readJson(text: string): Read {
  try {
    return { content: JSON.parse(text) }
  } catch {
    return readYaml(text, 'JSON')
  }
}

/** One mistake makes the parser stumble more than once: only the first is told. */
function readYaml(text: string, what = 'YAML'): Read {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, prettyErrors: true })
  const [error] = document.errors
  if (error) {
    const [start] = error.linePos ?? []
    const place = start ? ` (line ${start.line}, column ${start.col})` : ''
    const reason = (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    return { faults: [{ path: at, message: `The file is not valid ${what}${place}: ${reason}.` }] }
  }
  try {
    return { content: document.toJS({ maxAliasCount: ALIASES_MAX }) }
  } catch {
    return { faults: [{ path: at, message: 'The file uses too many aliases.' }] }
  }
}

/** Inline properties win, each whole. */
export function unite(file: Record<string, unknown>, inline: Record<string, unknown>): Record<string, unknown> {
  return { ...file, ...inline }
}
