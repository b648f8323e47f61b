// Identifiers from a cryptographic source (N3).

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const ID_LENGTH = 16

export const ID_PATTERN = /^[A-Za-z0-9_-]{16}$/

/** Drawn for many ids at once: each draw is a way out of the isolate. */
const pool = new Uint8Array(ID_LENGTH * 256)
let used = pool.length

export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  let id = ''
  for (const end = used + ID_LENGTH; used < end; used++) id += ALPHABET[(pool[used] ?? 0) & 63]
  return id
}

const SHARED_LENGTH = 6

/**
 * Ids for entities that are written together. They begin alike, with characters as random as the rest, and so lie side by
 * side in every index: a bulk write touches a few pages of it instead of one for each row.
 */
export function idSeries(): () => string {
  const shared = newId().slice(0, SHARED_LENGTH)
  return () => shared + newId().slice(SHARED_LENGTH)
}

const LETTERS_AND_DIGITS = ALPHABET.slice(0, 62)

/** Random letters and digits, each equally likely: bytes of 248 and more are thrown away. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < 248 && text.length < length) text += LETTERS_AND_DIGITS[byte % 62]
    }
  }
  return text
}
