// Identifiers from a cryptographic source (N3).
import { base64Url } from './digest.ts'

export const ID_LENGTH = 16
const ID_BYTES = 12
const IDS_AT_ONCE = 256

export const ID_PATTERN = /^[A-Za-z0-9_-]{16}$/

/** Drawn for many ids at once: each draw is a way out of the isolate. */
let drawn = ''
let used = 0

function draw(): string {
  if (used === drawn.length) {
    drawn = base64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES * IDS_AT_ONCE)))
    used = 0
  }
  used += ID_LENGTH
  return drawn.slice(used - ID_LENGTH, used)
}

/** None begins with `-`: command lines would take it for an option. */
export function newId(): string {
  for (;;) {
    const id = draw()
    if (!id.startsWith('-')) return id
  }
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

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

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
