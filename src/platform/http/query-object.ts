// Query parameters that are objects, in either encoding: jsurl or JSON (N19). What cannot be read to its last character
// is refused: a criterion that is silently dropped would list too much.
import * as z from 'zod'
import { errorsOf, pointerParts } from '../errors.ts'
import { hostileParts, lostIntegers } from '../json-safety.ts'
import { QUERY_OBJECT_MAX_DEPTH, QUERY_OBJECT_MAX_LENGTH } from '../limits.ts'
import { oddNumber, readJsurl } from './jsurl.ts'

const NAME = /[A-Za-z_$][\w$]*/y
const SPACES = /\s*/y

export function parseQueryObject(text: string): Record<string, unknown> | undefined {
  if (text.length > QUERY_OBJECT_MAX_LENGTH) return undefined
  const value = text.startsWith('~')
    ? readJsurl(text, QUERY_OBJECT_MAX_DEPTH)
    : (parseJson(text) ?? parseJson(quoteKeys(text)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return hostileParts(value, QUERY_OBJECT_MAX_DEPTH).length ? undefined : (value as Record<string, unknown>)
}

/** `{ hello: "world" }`: keys without quotes occur in examples of such services. Goes over the text once. */
function quoteKeys(text: string): string {
  let quoted = ''
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    const end = character === '"' ? endOfString(text, at) : at + 1
    quoted += text.slice(at, end)
    at = end
    if (character !== '{' && character !== ',') continue
    const start = matchEnd(SPACES, text, at)
    const nameEnd = matchEnd(NAME, text, start)
    if (nameEnd === start || text.charAt(matchEnd(SPACES, text, nameEnd)) !== ':') continue
    quoted += `"${text.slice(start, nameEnd)}"`
    at = nameEnd
  }
  return quoted
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A query parameter that holds an object of the given shape. */
export function queryObject<T extends z.ZodType>(shape: T) {
  return z.string().transform((text, context): z.output<T> => {
    if (text.length > QUERY_OBJECT_MAX_LENGTH) {
      context.addIssue({ code: 'custom', message: `Longer than ${QUERY_OBJECT_MAX_LENGTH} characters.` })
      return z.NEVER
    }
    const value = parseQueryObject(text)
    if (!value) {
      const odd = text.startsWith('~') ? oddNumber(text, QUERY_OBJECT_MAX_DEPTH) : undefined
      const message = odd
        ? `"${odd.sent}" is not how jsurl writes this number: write ${odd.written}, or a text as '${odd.sent}.`
        : 'Expected an object, as jsurl or as URL-encoded JSON.'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const lost = text.startsWith('~') ? [] : lostIntegers(quoteKeys(text))
    const parsed = shape.safeParse(value)
    if (parsed.success && lost.length === 0) return parsed.data
    for (const { path, message } of lost.length ? lost : errorsOf(parsed.error?.issues ?? [])) {
      context.addIssue({ code: 'custom', path: pointerParts(path), message })
    }
    return z.NEVER
  })
}
