// A configuration file in YAML or JSON, and its union with what stands inline. Aliases and size are bounded: a file of
// a few lines could otherwise grow to gigabytes.
import { loadAll, YAMLException } from 'js-yaml'
import { type FieldError, pointer } from '../../../platform/errors.ts'
import { hostileParts, LONG_DIGITS, lostIntegers } from '../../../platform/json-safety.ts'
import { FAULTS_MAX, KB, LOAD_CONFIGURATION_MAX_BYTES } from '../../../platform/limits.ts'

const ALIASES_MAX = 100
const EXPANDED_MAX_CHARACTERS = 4 * LOAD_CONFIGURATION_MAX_BYTES
const EXPANDED_MAX_DEPTH = 200

export type FileContent = { content: Record<string, unknown> } | { faults: FieldError[] }

const at = '/loaderConfigurationId'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

export function readConfigurationFile(bytes: BufferSource): FileContent {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    return { faults: [{ path: at, message: 'The file is not UTF-8. Save it as UTF-8.' }] }
  }
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
    const content: unknown = JSON.parse(text)
    return namedTwice(text) ?? kept(content, lostIntegers(text))
  } catch {
    return readYaml(text, 'JSON')
  }
}

/** JSON.parse takes the last of two; YAML, which nearly all JSON is, refuses them. */
function namedTwice(text: string): Read | undefined {
  try {
    loadAll(text)
  } catch (error) {
    if (error instanceof YAMLException && error.reason === NAMED_TWICE) return faultOf('JSON', error.reason, error.mark)
  }
  return undefined
}

const NAMED_TWICE = 'duplicated mapping key'

/** What holds for a body holds for a file. */
function kept(content: unknown, lost: readonly FieldError[]): Read {
  const faults = [...hostileParts(content), ...lost].slice(0, FAULTS_MAX)
  if (faults.length === 0) return { content }
  return { faults: faults.map(({ path, message }) => ({ path: at, message: `${path}: ${message}` })) }
}

/** YAML has taken the digits away: what JavaScript cannot hold for certain is asked for as a text. */
function unsafeIntegers(content: unknown, path: string[] = []): FieldError[] {
  if (typeof content === 'number' && Number.isInteger(content) && !Number.isSafeInteger(content)) {
    return [{ path: pointer(path), message: 'The integer may have more digits than can be kept. Put it into quotes.' }]
  }
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([name, inner]) => unsafeIntegers(inner, [...path, name]))
}

/** What YAML takes for something else: `a: {b}-{c}`, `a: @b`, `- @b`, `a: b: c`. Its work grows with the square of a line. */
const NEEDS_QUOTES = /[:-]\s+(?:[{@]|\w.*:\s)/
const LINE_MAX_CHARACTERS = 500

function readYaml(text: string, what = 'YAML'): Read {
  try {
    const [content, ...others] = loadAll(text, { maxAliases: ALIASES_MAX })
    if (others.length > 0) return { faults: [{ path: at, message: 'The file holds several documents; give one.' }] }
    return isTooLarge(content) ? TOO_MANY_ALIASES : kept(content, LONG_DIGITS.test(text) ? unsafeIntegers(content) : [])
  } catch (error) {
    const { reason = '', mark } = error instanceof YAMLException ? error : {}
    if (reason.includes('maxAliases')) return TOO_MANY_ALIASES
    const line = text.split('\n')[mark?.line ?? 0]?.slice(0, LINE_MAX_CHARACTERS) ?? ''
    const advice = what === 'YAML' && NEEDS_QUOTES.test(line) ? ' A value with {, @ or ": " must stand in quotes.' : ''
    return faultOf(what, reason, mark, advice)
  }
}

function faultOf(what: string, reason: string, mark: YAMLException['mark'] | undefined, advice = ''): Read {
  const place = mark ? ` (line ${mark.line + 1}, column ${mark.column + 1})` : ''
  const message = `The file is not valid ${what}${place}: ${reason || 'it cannot be read'}.${advice}`
  return { faults: [{ path: at, message }] }
}

const TOO_MANY_ALIASES: Read = { faults: [{ path: at, message: 'The file uses too many aliases.' }] }

/** Whether it is larger or deeper than a file may be once its aliases are written out; a circle is both. */
function isTooLarge(content: unknown): boolean {
  let left = EXPANDED_MAX_CHARACTERS
  const goesBeyond = (value: unknown, depth: number): boolean => {
    left -= typeof value === 'string' ? value.length + 1 : 1
    if (left < 0 || depth > EXPANDED_MAX_DEPTH) return true
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([name, inner]) => {
      left -= name.length
      return goesBeyond(inner, depth + 1)
    })
  }
  return goesBeyond(content, 0)
}

/** Inline properties win, each whole. */
export function unite(file: Record<string, unknown>, inline: Record<string, unknown>): Record<string, unknown> {
  return { ...file, ...inline }
}
