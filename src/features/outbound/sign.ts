// Signatures of outbound calls in the Standard Webhooks form (N41). No I/O, no clock.

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/
const MIN_BYTES = 24
const MAX_BYTES = 64

/** The key in a secret `whsec_<base64>`; undefined where it is none, or has not 24 to 64 bytes. */
export function signingKey(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const encoded = SECRET.exec(secret)?.[1]
  if (!encoded) return undefined
  try {
    const key = Uint8Array.from(atob(encoded), character => character.charCodeAt(0))
    return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : undefined
  } catch {
    return undefined
  }
}

export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** One signature for each secret, the newest first. */
export async function signatureHeaders(secrets: readonly string[], signed: Signed): Promise<Record<string, string>> {
  const signatures = await Promise.all(secrets.map(secret => signature(secret, signed)))
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

async function signature(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const raw = signingKey(secret)
  if (!raw) throw new Error('not a signing secret')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`
}
