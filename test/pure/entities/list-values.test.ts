// What goes to the database beside the text of a list: as few values as it takes, and how much it may read.
import { describe, expect, it } from 'vitest'
import { type Asked, type Criteria, planOf } from '../../../src/features/entities/criteria.ts'
import { listValues } from '../../../src/features/entities/list-sql.ts'
import { parseRelations } from '../../../src/features/entities/relations.ts'
import { readPage } from '../../../src/features/entities/store.ts'
import { kindNamed } from '../../../src/kinds.ts'
import type { Database, Statement } from '../../../src/platform/db/client.ts'
import { soughtIn } from '../../../src/platform/search/words.ts'

const item = kindNamed('item')

const queryOf = (criteria: Criteria, asked: Asked) => ({
  orgId: 'o',
  kind: item,
  plan: planOf(item, criteria, asked),
  after: { value: 'a', seq: 1 },
  limit: 100,
})

/** What a database would be sent; it has nothing. */
async function sentFor(work: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const batch = async (statements: Statement[]) => {
    sent.push(...statements)
    return statements.map(() => ({ results: [] }))
  }
  await work({ batch } as unknown as Database)
  return sent
}

describe('the values of a list', () => {
  it('N16 are fewer than D1 binds, whatever is asked for together', async () => {
    const indexes = ['code', 'price'].map((property, at) => ({ id: at, kind: 'item', property, lists: 0 }))
    const letters = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`p${at}`, { startsWith: 'éàü' }]))
    const query = queryOf(
      { code: { startsWith: 'ab' }, ...letters },
      { indexes, order: { orderField: 'price', order: 'asc' }, sought: soughtIn('linen shirt') },
    )
    expect(query.plan).toMatchObject({
      narrow: { index: { property: 'code' } },
      walk: { index: { property: 'price' } },
    })
    const relations = parseRelations(item, 'itemFamily.itemFamily.itemFamily')
    const sent = await sentFor(db => readPage(db, query, relations))
    expect(sent).toHaveLength(2)
    const most = Math.max(...sent.map(({ params }) => params.length))
    // D1 takes 100.
    expect(most).toBeLessThanOrEqual(85)
    expect(most).toBeGreaterThan(70)
  })

  it('N50 let a page look at less where many words are tested on each entity', () => {
    const order = { orderField: 'name', order: 'asc' } as const
    const scanned = (q: string) => Number(listValues(queryOf({}, { order, sought: soughtIn(q) })).scanBytes)
    expect(scanned('a b c d e f g h')).toBeLessThan(scanned('a b') / 1.5)
  })
})
