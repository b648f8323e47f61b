import { describe, expect, it } from 'vitest'
import { type Claim, memberKey } from '../../../src/features/loads/drafts/claims.ts'
import { owedClaim } from '../../../src/features/loads/phases/check-owed.ts'
import { makeClaims, readClaims } from '../../../src/features/loads/store/claims.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env } from '../api.ts'

const claimOf = (key: string, line: number, own = false): Claim => ({
  space: 'item',
  key,
  role: 'family',
  line,
  shared: { name: String(line) },
  ownLine: own ? line : null,
  ownShared: own ? [{ price: line }] : '',
  hash: () => (own ? `h${line}` : ''),
})

const told = (claims: readonly Claim[]) => claims.map(claim => ({ ...claim, hash: claim.hash() }))

const db = databaseFor(env, 'any')
const KEYS = ['F1', '42', 'a"b', 'a\\b', 'ä 👕', '__proto__', 'F\u2028', '', memberKey('assortment', 'F1')]

describe('claims of a load', () => {
  it.each(KEYS)('N32 the first claim of %j holds against a later chunk', async key => {
    const loadId = newId()
    expect((await makeClaims(db, loadId, [claimOf(key, 2)])).held).toEqual([])
    expect(told((await makeClaims(db, loadId, [claimOf(key, 9)])).held)).toEqual(told([claimOf(key, 2)]))
    expect(told(await readClaims(db, loadId, 'item', [key]))).toEqual(told([claimOf(key, 2)]))
  })

  it('N32 the first row that is the family’s own is added to the claim, and no later one', async () => {
    const loadId = newId()
    await makeClaims(db, loadId, [claimOf('F1', 2)])
    const held = { ...claimOf('F1', 9, true), line: 2, shared: claimOf('F1', 2).shared }
    expect(told((await makeClaims(db, loadId, [claimOf('F1', 9, true)])).held)).toEqual(told([held]))
    const more = [claimOf('F1', 12, true), claimOf('F2', 13)]
    expect(told((await makeClaims(db, loadId, more)).held)).toEqual(told([held]))
  })

  it('N67 a row that owes one value for its item and for its project item owes both', () => {
    const owed = { line: 2, slug: 'fit', message: '', space: 'item' as const, family: 'F1' }
    const keys = [{}, { asks: 'item' }, { asks: 'project-item' }].map(more => owedClaim({ ...owed, ...more }).key)
    expect(new Set(keys).size).toBe(3)
  })

  it('keeps spaces and loads apart, and says nothing of a claim that is made again', async () => {
    const [one, other] = [newId(), newId()]
    const both = [claimOf('F1', 2), { ...claimOf('F1', 3), space: 'member' as const }]
    expect((await makeClaims(db, one, both)).held).toEqual([])
    expect((await makeClaims(db, one, both)).held).toEqual([])
    expect((await makeClaims(db, other, [claimOf('F1', 7)])).held).toEqual([])
    expect(told(await readClaims(db, one, 'member', ['F1']))).toEqual(told(both.slice(1)))
  })
})
