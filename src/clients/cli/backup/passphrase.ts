// The key of an encrypted archive, made from a passphrase that stands in an environment variable and nowhere else.

import { createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { ArchiveError, type ArchiveKey, type Encryption, type Header } from '../../../platform/formats/frames.ts'
import { Failure, usage } from '../failure.ts'
import type { World } from '../terminal.ts'

const COST = { cost: 2 ** 17, blockSize: 8, parallelization: 1 }
const KEY_BYTES = 32
const PASSPHRASE_MIN_LENGTH = 12
/** What a header may ask of this machine. */
const COST_MAX = 2 ** 20

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  length: number,
  options: { cost: number; blockSize: number; parallelization: number; maxmem: number },
) => Promise<Buffer>

export function passphraseIn(world: World, variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined
  const passphrase = world.env[variable]
  if (passphrase === undefined || passphrase.length < PASSPHRASE_MIN_LENGTH) {
    const todo = `Set ${variable} to at least ${PASSPHRASE_MIN_LENGTH} characters, and keep it apart from the archive.`
    throw usage(`The variable ${variable} holds no passphrase.`, todo)
  }
  return passphrase
}

const checkOf = (key: Buffer) =>
  createHash('sha256').update('selvedge archive check').update(key).digest('base64url').slice(0, 16)

async function keyFrom(passphrase: string, { salt, ...asked }: Pick<Encryption, 'salt' | keyof typeof COST>) {
  const { cost, blockSize, parallelization } = asked
  const maxmem = 2 * 128 * cost * blockSize * parallelization
  const raw = await derive(passphrase, Buffer.from(salt, 'base64url'), KEY_BYTES, {
    cost,
    blockSize,
    parallelization,
    maxmem,
  })
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { key, check: checkOf(raw) }
}

export async function newEncryption(passphrase: string): Promise<{ key: ArchiveKey; encryption: Encryption }> {
  const asked = { ...COST, salt: randomBytes(16).toString('base64url') }
  const { key, check } = await keyFrom(passphrase, asked)
  return { key, encryption: { cipher: 'AES-256-GCM', kdf: 'scrypt', ...asked, check } }
}

/** The key that a header asks for; none where the archive is not encrypted, and nobody says that it should be. */
export function keyWith(passphrase: string | undefined): (header: Header) => Promise<ArchiveKey | undefined> {
  return async ({ encryption }) => {
    if (!encryption && passphrase === undefined) return undefined
    if (!encryption) {
      throw new Failure({
        what: 'The archive is not encrypted.',
        why: 'A passphrase was given, and whoever can write the file could have put another in its place.',
        todo: 'Leave --passphrase-env out if you mean it.',
      })
    }
    if (passphrase === undefined) {
      throw new Failure({
        what: 'The archive is encrypted.',
        why: 'No passphrase was given.',
        todo: 'Give --passphrase-env with the name of the variable that holds it.',
      })
    }
    const { cipher, kdf, cost, blockSize, parallelization } = encryption
    const isKnown =
      cipher === 'AES-256-GCM' && kdf === 'scrypt' && cost * parallelization <= COST_MAX && blockSize <= 32
    if (!isKnown) throw new ArchiveError('altered', 'The archive is encrypted in a way that is not known here.')
    const { key, check } = await keyFrom(passphrase, encryption)
    if (check !== encryption.check)
      throw new ArchiveError('passphrase', 'The passphrase is not the one of this archive.')
    return key
  }
}
