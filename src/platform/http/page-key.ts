// Opaque keys that callers hand back: positions in a list or in the history. A key carries what it belongs to, so that
// a foreign, garbled or misapplied one is refused instead of giving a wrong page.
import * as z from 'zod'
import { base64Url, fromBase64Url, sha256 } from '../digest.ts'
import { invalid } from '../errors.ts'

export const Position = z.array(z.union([z.string(), z.number(), z.null()]))
export type Position = z.output<typeof Position>

const CHECK_LENGTH = 8

async function checkOf(payload: string, belongsTo: string): Promise<string> {
  return base64Url(await sha256(`${belongsTo}\n${payload}`)).slice(0, CHECK_LENGTH)
}

export async function writeKey(position: Position, belongsTo: string): Promise<string> {
  const payload = base64Url(new TextEncoder().encode(JSON.stringify(position)))
  return `${await checkOf(payload, belongsTo)}${payload}`
}

export async function readKey(key: string, belongsTo: string, parameter: string): Promise<Position> {
  const check = key.slice(0, CHECK_LENGTH)
  const payload = key.slice(CHECK_LENGTH)
  const bytes = fromBase64Url(payload)
  if (!bytes || key.length > 4096 || check !== (await checkOf(payload, belongsTo))) {
    throw invalid([{ path: `/${parameter}`, message: 'This key does not belong to this request.' }])
  }
  return Position.parse(JSON.parse(new TextDecoder().decode(bytes)))
}
