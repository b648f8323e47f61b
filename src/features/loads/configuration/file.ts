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
  const read = readJson(text) ?? readYaml(text)
  if ('faults' in read) return read
  const { content } = read
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { faults: [{ path: at, message: 'The file does not hold an object.' }] }
  }
  if ('loaderConfigurationId' in content) {
    return { faults: [{ path: at, message: 'The file cannot refer to another configuration file.' }] }
  }
  return { content: content as Record<string, unknown> }
}

function readJson(text: string): { content: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return { content: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function readYaml(text: string): { content: unknown } | { faults: FieldError[] } {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true })
  if (document.errors.length > 0) {
    const messages = document.errors.slice(0, 10).map(error => error.message.split('\n')[0] ?? '')
    return { faults: messages.map(message => ({ path: at, message: `The file is neither YAML nor JSON: ${message}` })) }
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
