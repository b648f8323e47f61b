// Secrets that must be recovered are kept encrypted under the deployment's SECRETS_KEY (N12).
import type { Env } from '../env.ts'
import { base64Url, fromBase64Url, sha256 } from './digest.ts'
import { Fault } from './errors.ts'

const encoder = new TextEncoder()

export function secretsKeyOf({ SECRETS_KEY }: Pick<Env, 'SECRETS_KEY'>): string {
  if (!SECRETS_KEY) throw new Fault('conflict', 'This deployment has no SECRETS_KEY, so that it can keep no secrets.')
  return SECRETS_KEY
}

async function aesKey(secretsKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', await sha256(`selvedge secrets ${secretsKey}`), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/** `owner` is bound to the ciphertext, so that one organization's secret cannot be moved to another's row. */
export async function encryptSecret(secretsKey: string, owner: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(owner) },
    await aesKey(secretsKey),
    encoder.encode(secret),
  )
  return `v1.${base64Url(iv)}.${base64Url(sealed)}`
}

export async function decryptSecret(secretsKey: string, owner: string, sealed: string): Promise<string> {
  const [version, iv, text] = sealed.split('.')
  const ivBytes = fromBase64Url(iv ?? '')
  const bytes = fromBase64Url(text ?? '')
  if (version !== 'v1' || !ivBytes || !bytes) throw new Error('unreadable secret')
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: ivBytes, additionalData: encoder.encode(owner) },
    await aesKey(secretsKey),
    bytes,
  )
  return new TextDecoder().decode(plain)
}

/** Proves that we have said it ourselves, for this purpose. */
export async function signatureOf(secretsKey: string, purpose: string, text: string): Promise<string> {
  const secret = encoder.encode(`selvedge ${purpose} ${secretsKey}`)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64Url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
