// Passwords under scrypt (N10): 2^15 blocks of 8 take 32 MB, a quarter of a Worker's memory, so they are hashed one at a
// time. The parameters stand in the hash, so that they can be raised later.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { base64Url, fromBase64Url } from '../../platform/digest.ts'

const COST = 2 ** 15
const BLOCK_SIZE = 8
const PARALLELISM = 3
const KEY_BYTES = 32
const SALT_BYTES = 16
const MAX_MEMORY_BYTES = 64 * 1024 * 1024

let queue: Promise<unknown> = Promise.resolve()

/** Runs after whatever is being hashed: two at once would double the memory. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const mine = queue.then(work)
  queue = mine.catch(() => undefined)
  return mine
}

function derive(
  password: string,
  salt: Uint8Array,
  cost: number,
  blockSize: number,
  parallelism: number,
): Promise<Buffer> {
  return oneAtATime(
    () =>
      new Promise((resolve, reject) => {
        const options = { N: cost, r: blockSize, p: parallelism, maxmem: MAX_MEMORY_BYTES }
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  const key = await derive(password, salt, COST, BLOCK_SIZE, PARALLELISM)
  return ['scrypt', COST, BLOCK_SIZE, PARALLELISM, base64Url(salt), base64Url(key)].join('$')
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, cost, blockSize, parallelism, salt, key] = hash.split('$')
  const saltBytes = fromBase64Url(salt ?? '')
  const keyBytes = fromBase64Url(key ?? '')
  if (scheme !== 'scrypt' || !saltBytes || keyBytes?.length !== KEY_BYTES) return false
  const derived = await derive(password, saltBytes, Number(cost), Number(blockSize), Number(parallelism))
  return timingSafeEqual(derived, keyBytes)
}
