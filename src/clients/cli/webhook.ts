// Sends an event to a program as the service would: the same headers, signed in the Standard Webhooks form (N41).

import { createHmac, randomBytes } from 'node:crypto'
import path from 'node:path'
import type { WebhookEvent } from './event.ts'
import { usage } from './failure.ts'
import { isRecord } from './input.ts'
import { credentialsPath, writePrivate } from './profiles.ts'
import { storedKey } from './sync-file.ts'
import type { World } from './terminal.ts'

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const SECRET_BYTES = 32
const TIMEOUT_MS = 10_000

export interface Target {
  url: string
  secret: string
}

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

export function checkedSecret(secret: string): string {
  const bytes = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64').length
  if (bytes >= 24 && bytes <= 64) return secret
  throw usage('The secret cannot be used.', 'Give whsec_ and 24 to 64 bytes in base64, or leave it out.')
}

export function checkedUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw usage(
    `${option} is no http address: ${JSON.stringify(text)}.`,
    'Give one such as http://localhost:3000/events.',
  )
}

export function signatureOf(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The status of the answer. Throws where none comes. */
export async function sendEvent(target: Target, id: string, event: WebhookEvent, signal: AbortSignal): Promise<number> {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000)
  const response = await fetch(target.url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: {
      'User-Agent': 'Selvedge',
      'Content-Type': 'application/json',
      'Idempotency-Key': id,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(target.secret, id, timestamp, body),
    },
    body,
  })
  await response.body?.cancel()
  return response.status
}

/** Nobody is there: what was sent has reached no program. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']

/** Why no answer came, of what `sendEvent` throws. */
export function silenceOf(error: unknown): { status: null; isNobody: boolean; why: string } {
  const { name = '', message = String(error), cause = undefined } = error instanceof Error ? error : {}
  if (name === 'TimeoutError')
    return { status: null, isNobody: false, why: `It did not answer within ${TIMEOUT_MS / 1000} s.` }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return { status: null, isNobody: NOBODY.includes(code), why: `The connection failed: ${code || message}.` }
}

const targetFile = (world: World) => path.join(path.dirname(credentialsPath(world)), 'listen.json')

/** Where events were forwarded to last, and how they were signed. */
export async function rememberedTarget(world: World): Promise<Partial<Target>> {
  const text = await storedKey(targetFile(world))
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isRecord(value) && typeof value.url === 'string' && typeof value.secret === 'string'
      ? { url: value.url, secret: checkedSecret(value.secret) }
      : {}
  } catch {
    return {}
  }
}

export const rememberTarget = (world: World, target: Target) => writePrivate(targetFile(world), target)
