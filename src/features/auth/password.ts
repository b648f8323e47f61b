// Passwords under scrypt (N10), in rounds. Each is synchronous on purpose: an isolate then never holds two of them, and no request
// waits on another's promise. The parameters stand in the hash, so that they can be raised later.
import { scryptSync, timingSafeEqual } from 'node:crypto'
import { base64Url, fromBase64Url } from '../../platform/digest.ts'
import { BLOCK_SIZE, COST, ROUNDS } from './password-cost.ts'

const KEY_BYTES = 32
const SALT_BYTES = 16
const MAX_MEMORY_BYTES = 64 * 1024 * 1024
/** Ten times what a hash of ours takes: one from an archive must not hold up everybody's sign-in. */
const MAX_WORK = 2 ** 23
const MAX_BLOCK_SIZE = 32

interface Stored {
  cost: number
  blockSize: number
  /** The first release made one round of three lanes, which is as much work. */
  parallelism: number
  rounds: number
  salt: Uint8Array
  key: Uint8Array
}

/** Before each round but the first. */
type Between = () => Promise<void>

async function derive(password: string, given: Omit<Stored, 'key'>, between: Between): Promise<Uint8Array> {
  const { cost, blockSize, parallelism, rounds, salt } = given
  const options = { N: cost, r: blockSize, p: parallelism, maxmem: MAX_MEMORY_BYTES }
  let key: Uint8Array = scryptSync(password.normalize('NFKC'), salt, KEY_BYTES, options)
  for (let round = 1; round < rounds; round++) {
    await between()
    key = scryptSync(key, salt, KEY_BYTES, options)
  }
  return key
}

const NEW = { cost: COST, blockSize: BLOCK_SIZE, parallelism: 1, rounds: ROUNDS }

const hashText = (salt: Uint8Array, key: Uint8Array) =>
  ['scrypt-rounds', COST, BLOCK_SIZE, ROUNDS, base64Url(salt), base64Url(key)].join('$')

function storedIn(hash: string): Stored | undefined {
  const [scheme, cost, blockSize, times, salt = '', key = ''] = hash.split('$')
  const [saltBytes, keyBytes] = [fromBase64Url(salt), fromBase64Url(key)]
  if (!saltBytes || keyBytes?.length !== KEY_BYTES) return undefined
  const common = { cost: Number(cost), blockSize: Number(blockSize), salt: saltBytes, key: keyBytes }
  const count = Number(times)
  if (!isBearable(common.cost, common.blockSize, count)) return undefined
  if (scheme === 'scrypt-rounds') return { ...common, parallelism: 1, rounds: count }
  if (scheme === 'scrypt') return { ...common, parallelism: count, rounds: 1 }
  return undefined
}

/** What scrypt takes, and no more work than is allowed. */
function isBearable(cost: number, blockSize: number, times: number): boolean {
  const isCount = (value: number) => Number.isInteger(value) && value > 0
  if (!isCount(cost) || !isCount(blockSize) || !isCount(times) || blockSize > MAX_BLOCK_SIZE) return false
  return cost > 1 && Number.isInteger(Math.log2(cost)) && cost * blockSize * times <= MAX_WORK
}

export async function hashPassword(password: string, between: Between): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return hashText(salt, await derive(password, { ...NEW, salt }, between))
}

/** A hash of no password: unknown users are checked against it, so that the answer takes equally long. */
const NOBODYS_HASH = hashText(new Uint8Array(SALT_BYTES), new Uint8Array(KEY_BYTES))

export async function verifyPassword(
  password: string,
  hash: string | null | undefined,
  between: Between,
): Promise<boolean> {
  const stored = storedIn(hash ?? NOBODYS_HASH)
  if (!stored) return false
  return timingSafeEqual(await derive(password, stored, between), stored.key) && hash != null
}
