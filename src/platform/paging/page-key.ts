// Opaque keys that callers hand back: positions in a list or in the history. A key carries what it belongs to, so that
// a foreign, garbled or misapplied one is refused instead of giving a wrong page.
import * as z from 'zod'
import { base64Url, fromBase64Url, sha256 } from '../digest.ts'
import { invalid } from '../errors.ts'

export const Position = z.array(z.union([z.string(), z.number(), z.null()]))
export type Position = z.output<typeof Position>

const CHECK_LENGTH = 8
const KEY_MAX_LENGTH = 4096

async function checkOf(payload: string, belongsTo: string): Promise<string> {
  return base64Url(await sha256(`${belongsTo}\n${payload}`)).slice(0, CHECK_LENGTH)
}

export async function writeKey(position: Position, belongsTo: string): Promise<string> {
  const payload = base64Url(new TextEncoder().encode(JSON.stringify(position)))
  return `${await checkOf(payload, belongsTo)}${payload}`
}

/** The check is no signature: a caller who computes it can still send any position, so the shape is validated too. */
export async function readKey<T extends z.ZodType = typeof Position>(
  key: string,
  belongsTo: string,
  parameter: string,
  shape?: T,
): Promise<z.output<T>> {
  const check = key.slice(0, CHECK_LENGTH)
  const payload = key.slice(CHECK_LENGTH)
  const bytes = key.length > KEY_MAX_LENGTH ? undefined : fromBase64Url(payload)
  const isOurs = bytes && check === (await checkOf(payload, belongsTo))
  const position = (shape ?? Position).safeParse(isOurs ? parsed(bytes) : undefined)
  if (!position.success) {
    throw invalid([{ path: `/${parameter}`, message: 'This key does not belong to this request.' }])
  }
  return position.data as z.output<T>
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
