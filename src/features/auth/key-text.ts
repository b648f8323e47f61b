// The text of keys and tokens (N9): 36 random letters and digits, then a checksum, so that a mistyped one is refused
// without a look-up. Pure but for its randomness.
import type { CredentialKind } from '../../platform/context.ts'
import { randomText } from '../../platform/ids.ts'

const RANDOM_LENGTH = 36
const CHECK_LENGTH = 6
const START_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET = new RegExp(`^[A-Za-z0-9]{${RANDOM_LENGTH + CHECK_LENGTH}}$`)

export interface NewCredential {
  /** What the caller is shown this once. */
  key: string
  /** What is digested. */
  secret: string
  start: string
}

export function newCredential(kind: CredentialKind): NewCredential {
  const random = randomText(RANDOM_LENGTH)
  const secret = random + checksum(random)
  const prefix = kind === 'app' || kind === 'user' ? `${kind}:` : ''
  return { key: prefix + secret, secret, start: prefix + secret.slice(0, START_LENGTH) }
}

/** The secret part of a key as sent, with or without its prefix; undefined where it cannot be one of ours. */
export function secretOf(key: string): string | undefined {
  const secret = key.replace(/^(app|user):/, '')
  if (!SECRET.test(secret)) return undefined
  const random = secret.slice(0, RANDOM_LENGTH)
  return checksum(random) === secret.slice(RANDOM_LENGTH) ? secret : undefined
}

/** CRC-32 in base 62: it finds typing errors, it protects nothing. */
function checksum(text: string): string {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  let rest = (crc ^ 0xffffffff) >>> 0
  let digits = ''
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = DIGITS[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
