// Secrets that must be recovered are kept encrypted under the deployment's SECRETS_KEY (N12).

import { base64Url, equalSecrets, fromBase64Url, sha256 } from './digest.ts'
import type { Env } from './env.ts'
import { Fault } from './errors.ts'

const encoder = new TextEncoder()

export type SecretsEnv = Pick<Env, 'SECRETS_KEY' | 'SECRETS_KEYS_OLD'>

/** The key in force first, then those before it, one or several apart by spaces: what they have sealed or signed still counts. */
export function secretsKeysOf({ SECRETS_KEY, SECRETS_KEYS_OLD = '' }: SecretsEnv): readonly string[] {
  if (!SECRETS_KEY) throw new Fault('conflict', 'This deployment has no SECRETS_KEY, so that it can keep no secrets.')
  return [...new Set([SECRETS_KEY, SECRETS_KEYS_OLD, ...SECRETS_KEYS_OLD.split(/\s+/)])].filter(Boolean)
}

/** What a ciphertext calls its key; it tells nothing of it. */
async function nameOf(secretsKey: string): Promise<string> {
  return base64Url(await sha256(`selvedge secrets key name ${secretsKey}`)).slice(0, 8)
}

async function aesKey(secretsKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', await sha256(`selvedge secrets ${secretsKey}`), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])
}

/** `owner` is bound to the ciphertext, so that one organization's secret cannot be moved to another's row. */
export async function encryptSecret(env: SecretsEnv, owner: string, secret: string): Promise<string> {
  const [secretsKey = ''] = secretsKeysOf(env)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: encoder.encode(owner) },
    await aesKey(secretsKey),
    encoder.encode(secret),
  )
  return `v2.${await nameOf(secretsKey)}.${base64Url(iv)}.${base64Url(sealed)}`
}

/** How everything begins that is sealed under the key in force, and needs none of those before it. */
export async function sealedNow(env: SecretsEnv): Promise<string> {
  const [secretsKey = ''] = secretsKeysOf(env)
  return `v2.${await nameOf(secretsKey)}.`
}

export async function decryptSecret(env: SecretsEnv, owner: string, sealed: string): Promise<string> {
  const [version, ...parts] = sealed.split('.')
  const keys = secretsKeysOf(env)
  // The first release named no key.
  if (version === 'v1') return openedByAny(keys, owner, parts)
  const [name, ...rest] = parts
  for (const key of keys) if ((await nameOf(key)) === name) return opened(key, owner, rest)
  throw new Error('sealed under a key that this deployment does not have')
}

async function openedByAny(keys: readonly string[], owner: string, parts: readonly string[]): Promise<string> {
  const results = await Promise.allSettled(keys.map(key => opened(key, owner, parts)))
  const found = results.find(result => result.status === 'fulfilled')
  if (!found) throw new Error('sealed under a key that this deployment does not have')
  return found.value
}

async function opened(secretsKey: string, owner: string, [iv, text]: readonly string[]): Promise<string> {
  const ivBytes = fromBase64Url(iv ?? '')
  const bytes = fromBase64Url(text ?? '')
  if (!ivBytes || !bytes) throw new Error('unreadable secret')
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: ivBytes, additionalData: encoder.encode(owner) },
    await aesKey(secretsKey),
    bytes,
  )
  return new TextDecoder().decode(plain)
}

/** Proves that we have said it ourselves, for this purpose. */
export async function signed(env: SecretsEnv, purpose: string, text: string): Promise<string> {
  const [secretsKey = ''] = secretsKeysOf(env)
  return signatureOf(secretsKey, purpose, text)
}

export async function isSigned(env: SecretsEnv, purpose: string, text: string, signature: string): Promise<boolean> {
  if (!env.SECRETS_KEY) return false
  const signatures = await Promise.all(secretsKeysOf(env).map(key => signatureOf(key, purpose, text)))
  const equal = await Promise.all(signatures.map(one => equalSecrets(signature, one)))
  return equal.includes(true)
}

async function signatureOf(secretsKey: string, purpose: string, text: string): Promise<string> {
  const secret = encoder.encode(`selvedge ${purpose} ${secretsKey}`)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64Url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}
