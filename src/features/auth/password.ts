// Passwords under scrypt (N10). The call is synchronous on purpose: an isolate then never holds two of them, and no request
// waits on another's promise. The parameters stand in the hash, so that they can be raised later.
import { scryptSync, timingSafeEqual } from 'node:crypto'
import { base64Url, fromBase64Url } from '../../platform/digest.ts'
import { BLOCK_SIZE, COST, PARALLELISM } from './password-cost.ts'

const KEY_BYTES = 32
const SALT_BYTES = 16
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

function derive(
  password: string,
  salt: Uint8Array,
  cost: number,
  blockSize: number,
  parallelism: number,
): Uint8Array<ArrayBufferLike> {
  const options = { N: cost, r: blockSize, p: parallelism, maxmem: MAX_MEMORY_BYTES }
  return scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, options)
}

const hashText = (salt: Uint8Array, key: Uint8Array) =>
  ['scrypt', COST, BLOCK_SIZE, PARALLELISM, base64Url(salt), base64Url(key)].join('$')

export function hashPassword(password: string): string {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return hashText(salt, derive(password, salt, COST, BLOCK_SIZE, PARALLELISM))
}

/** Of no password: whoever does not exist is checked against it, which takes as long as for anybody else. */
const NOBODYS_HASH = hashText(new Uint8Array(SALT_BYTES), new Uint8Array(KEY_BYTES))

export function verifyPassword(password: string, hash: string | null | undefined): boolean {
  const [scheme, cost, blockSize, parallelism, salt, key] = (hash ?? NOBODYS_HASH).split('$')
  const saltBytes = fromBase64Url(salt ?? '')
  const keyBytes = fromBase64Url(key ?? '')
  if (scheme !== 'scrypt' || !saltBytes || keyBytes?.length !== KEY_BYTES) return false
  const derived = derive(password, saltBytes, Number(cost), Number(blockSize), Number(parallelism))
  return timingSafeEqual(derived, keyBytes) && hash != null
}
