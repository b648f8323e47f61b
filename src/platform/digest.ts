// Digests, constant-time comparison and the encryption of secrets that must be recovered (N12).

const encoder = new TextEncoder()

export function base64Url(bytes: ArrayBuffer | Uint8Array): string {
  let binary = ''
  for (const byte of bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}

export function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', encoder.encode(text))
}

export async function digestOf(text: string): Promise<string> {
  return base64Url(await sha256(text))
}

/** Compares by digest: neither length nor content shows in the time it takes. */
export async function equalSecrets(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256(a), sha256(b)])
  return crypto.subtle.timingSafeEqual(left, right)
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
