import { scryptSync } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { hashPassword, verifyPassword } from '../../../src/features/auth/password.ts'

vi.mock('node:crypto', async original => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, scryptSync: vi.fn(crypto.scryptSync) }
})

const atOnce = async () => {}
const hashOf = (password: string) => hashPassword(password, atOnce)
const isRight = (password: string, hash: string | null | undefined) => verifyPassword(password, hash, atOnce)

/** By the first release. */
const FIRST_HASH = 'scrypt$32768$8$3$AAAAAAAAAAAAAAAAAAAAAA$Z1swIuIB4_R2JTJCvP9aHB9pJLsFS_iGSypyGWzDkWE'

describe('passwords', () => {
  it('N10 are kept under scrypt with the parameters in the hash, each with its own salt', async () => {
    const [one, two] = [await hashOf('correct horse'), await hashOf('correct horse')]
    expect(one).toMatch(/^scrypt-rounds\$8192\$8\$12\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
    expect(await isRight('correct horse', one)).toBe(true)
    expect(await isRight('correct horsf', one)).toBe(false)
  })

  it('N61 let others pass between any two rounds, each of which needs the one before', async () => {
    const hash = await hashOf('correct horse')
    vi.mocked(scryptSync).mockClear()
    const seen: number[] = []
    const between = async () => void seen.push(vi.mocked(scryptSync).mock.calls.length)
    expect(await verifyPassword('correct horse', hash, between)).toBe(true)
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const { calls, results } = vi.mocked(scryptSync).mock
    expect(calls.slice(1).map(([password]) => password)).toEqual(results.slice(0, -1).map(({ value }) => value))
  })

  it('N10 of the first release are known, and take as much work', async () => {
    vi.mocked(scryptSync).mockClear()
    expect(await isRight('correct horse', FIRST_HASH)).toBe(true)
    expect(await isRight('correct horsf', FIRST_HASH)).toBe(false)
    const works = vi.mocked(scryptSync).mock.calls.map(([, , , options]) => (options?.N ?? 0) * (options?.p ?? 0))
    expect(works).toEqual([2 ** 13 * 12, 2 ** 13 * 12])
  })

  it('are the same however a keyboard composes their letters', async () => {
    expect(await isRight('pa\u0073swo\u0308rd', await hashOf('passw\u00f6rd'))).toBe(true)
  })

  it('N10 nobody has no password, and finding that out takes the same work', async () => {
    const work = () => vi.mocked(scryptSync).mock.calls.map(([, , bytes, options]) => ({ bytes, ...options }))
    const hash = await hashOf('correct horse')
    vi.mocked(scryptSync).mockClear()
    for (const stored of [hash, null, undefined]) expect(await isRight('wrong', stored)).toBe(false)
    expect(work()).toHaveLength(3 * 12)
    expect(new Set(work().map(call => JSON.stringify(call))).size).toBe(1)
    expect(await isRight('', null)).toBe(false)
  })

  it('a damaged hash lets nobody in', async () => {
    for (const hash of ['', 'x', 'scrypt$1$1$1$AA$AA', 'bcrypt$32768$8$3$AA$AA']) {
      expect(await isRight('correct horse', hash)).toBe(false)
    }
  })

  it('N61 a hash that would take for ever is not begun', async () => {
    const [, , , , salt, key] = FIRST_HASH.split('$')
    vi.mocked(scryptSync).mockClear()
    const hopeless = ['scrypt$32768$8$1000000', 'scrypt-rounds$8192$8$1000000', 'scrypt-rounds$8192$8$many']
    const damaged = ['scrypt-rounds$2$16384$200', 'scrypt-rounds$3$8$1', 'scrypt-rounds$1$8$1', 'scrypt$8192$0.5$3']
    for (const work of [...hopeless, ...damaged]) {
      expect(await isRight('correct horse', [work, salt, key].join('$'))).toBe(false)
    }
    expect(scryptSync).not.toHaveBeenCalled()
  })
})
