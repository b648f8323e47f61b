// Identifiers from a cryptographic source (N3).

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const ID_LENGTH = 16

export const ID_PATTERN = /^[A-Za-z0-9_-]{16}$/

export function newId(): string {
  let id = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(ID_LENGTH))) id += ALPHABET[byte & 63]
  return id
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
