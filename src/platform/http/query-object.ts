// Query parameters that are objects, in either encoding: jsurl or JSON (N19). The library is never trusted with more than
// a bounded text, and what it returns is plain JSON again before anybody looks at it.
import JSURL from 'jsurl'
import * as z from 'zod'
import { errorsOf } from '../errors.ts'
import { QUERY_OBJECT_MAX_DEPTH, QUERY_OBJECT_MAX_LENGTH } from '../limits.ts'

const UNQUOTED_KEY = /"(?:[^"\\]|\\.)*"|([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)/g

export function parseQueryObject(text: string): Record<string, unknown> | undefined {
  if (text.length > QUERY_OBJECT_MAX_LENGTH || depthOf(text) > QUERY_OBJECT_MAX_DEPTH) return undefined
  const value = text.startsWith('~') ? plain(JSURL.tryParse(text)) : (parseJson(text) ?? parseJson(quoteKeys(text)))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** `{ hello: "world" }`: keys without quotes stand in examples of such services. */
function quoteKeys(text: string): string {
  return text.replace(UNQUOTED_KEY, (match, before?: string, key?: string, colon?: string) =>
    key === undefined ? match : `${before}"${key}"${colon}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '(' || character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === ')' || character === '}' || character === ']') depth--
  }
  return deepest
}

/** A query parameter that holds an object of the given shape. */
export function queryObject<T extends z.ZodType>(shape: T) {
  return z.string().transform((text, context): z.output<T> => {
    const value = parseQueryObject(text)
    if (!value) {
      context.addIssue({ code: 'custom', message: 'Expected an object, as jsurl or as URL-encoded JSON.' })
      return z.NEVER
    }
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    for (const { path, message } of errorsOf(parsed.error.issues)) {
      context.addIssue({ code: 'custom', path: path.split('/').slice(1), message })
    }
    return z.NEVER
  })
}
