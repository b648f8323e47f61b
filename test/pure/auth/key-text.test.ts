import { describe, expect, it } from 'vitest'
import { newCredential, secretOf } from '../../../src/features/auth/key-text.ts'

describe('the text of keys', () => {
  it('N9 is app: or user: and at least 32 random characters', () => {
    expect(newCredential('app').key).toMatch(/^app:[A-Za-z0-9]{32,}$/)
    expect(newCredential('user').key).toMatch(/^user:[A-Za-z0-9]{32,}$/)
    expect(newCredential('token').key).toMatch(/^[A-Za-z0-9]{32,}$/)
    const keys = new Set(Array.from({ length: 1000 }, () => newCredential('app').key))
    expect(keys.size).toBe(1000)
  })

  it('N9 is accepted with and without its prefix', () => {
    const { key, secret } = newCredential('app')
    expect(secretOf(key)).toBe(secret)
    expect(secretOf(key.slice('app:'.length))).toBe(secret)
  })

  it('N9 is refused when any one character is mistyped', () => {
    const { secret } = newCredential('app')
    for (let at = 0; at < secret.length; at++) {
      for (const other of ['a', 'Z', '7']) {
        if (secret[at] === other) continue
        expect(secretOf(secret.slice(0, at) + other + secret.slice(at + 1))).toBeUndefined()
      }
    }
  })

  it('N9 is refused when two neighbours are swapped, one is missing or one is added', () => {
    const { secret } = newCredential('user')
    for (let at = 0; at + 1 < secret.length; at++) {
      const [left = '', right = ''] = [secret[at], secret[at + 1]]
      if (left !== right) {
        expect(secretOf(secret.slice(0, at) + right + left + secret.slice(at + 2))).toBeUndefined()
      }
      expect(secretOf(secret.slice(0, at) + secret.slice(at + 1))).toBeUndefined()
    }
    expect(secretOf(`${secret}0`)).toBeUndefined()
  })

  it.each(['', 'app:', 'user:', 'app:app:', 'x'.repeat(42), 'ä'.repeat(42), 'app:../../etc', `${'0'.repeat(41)}\n`])(
    'N9 refuses %j',
    key => expect(secretOf(key)).toBeUndefined(),
  )

  it('N9 keeps the first characters for recognition, and no more than tell keys apart', () => {
    const { key, start } = newCredential('app')
    expect(key.startsWith(start)).toBe(true)
    expect(start.length).toBeLessThanOrEqual(12)
  })
})
