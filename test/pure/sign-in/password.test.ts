import { scryptSync } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/features/auth/password.ts'

vi.mock('node:crypto', async original => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, scryptSync: vi.fn(crypto.scryptSync) }
})

describe('passwords', () => {
  it('N10 are kept under scrypt with the parameters in the hash, each with its own salt', () => {
    const [one, two] = [hashPassword('correct horse'), hashPassword('correct horse')]
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
    expect(verifyPassword('correct horse', one)).toBe(true)
    expect(verifyPassword('correct horsf', one)).toBe(false)
  })

  it('are the same however a keyboard composes their letters', () => {
    expect(verifyPassword('pa\u0073swo\u0308rd', hashPassword('passw\u00f6rd'))).toBe(true)
  })

  it('N10 nobody has no password, and finding that out takes the same work', () => {
    const work = () => vi.mocked(scryptSync).mock.calls.map(([, , bytes, options]) => ({ bytes, ...options }))
    const hash = hashPassword('correct horse')
    vi.mocked(scryptSync).mockClear()
    for (const stored of [hash, null, undefined]) expect(verifyPassword('wrong', stored)).toBe(false)
    expect(work()).toHaveLength(3)
    expect(new Set(work().map(call => JSON.stringify(call))).size).toBe(1)
    expect(verifyPassword('', null)).toBe(false)
  })

  it('a damaged hash lets nobody in', () => {
    for (const hash of ['', 'x', 'scrypt$1$1$1$AA$AA', 'bcrypt$32768$8$3$AA$AA']) {
      expect(verifyPassword('correct horse', hash)).toBe(false)
    }
  })
})
