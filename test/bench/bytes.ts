// What the scale guide counts with: how many bytes an entity and its change records take in the database, indexes and search included, and
// how many rows the common calls read and write. Bounds, not targets: more than these, and the guide's sums are wrong.
import { Target } from './client.ts'
import { itemOf } from './items.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'
import { setUp } from './service.ts'

const BATCH = 1000

interface Rows {
  rowsRead: number
  rowsWritten: number
}

/** Bytes an item in JSON, as it is sent. */
const sentBytes = () => Buffer.byteLength(JSON.stringify(itemOf(1)))

export async function benchBytes(counting: Runtime, isQuick: boolean): Promise<Check[]> {
  const count = isQuick ? 2000 : 20_000
  const { target } = await setUp(counting)
  const operator = new Target(counting.url, { 'X-Operator-Key': OPERATOR_KEY })
  const counter = new Target(counting.url)
  const counts = () => counter.call<Rows>({ method: 'GET', path: '/counts' })
  const bytes = async () => {
    const path = '/api/operator/databases'
    const { results } = await operator.call<{ results: { name: string; bytes: number }[] }>({ method: 'GET', path })
    return results.find(({ name }) => name === 'DB')?.bytes ?? 0
  }
  const before = await bytes()
  const ids: string[] = []
  for (let at = 0; at < count; at += BATCH) {
    const body = Array.from({ length: BATCH }, (_, n) => ({ ...itemOf(at + n), federatedId: `F-${at + n}` }))
    const call = { method: 'POST', path: '/api/items/batch', body }
    ids.push(...(await target.call<{ results: { id: string }[] }>(call)).results.map(({ id }) => id))
  }
  const created = await bytes()
  for (let at = 0; at < count; at += BATCH) {
    const body = ids.slice(at, at + BATCH).map((id, n) => ({ id, price: at + n + 0.5 }))
    await target.call({ method: 'PUT', path: '/api/items/batch', body })
  }
  const updated = await bytes()
  const each = (from: number, to: number) => Math.round((to - from) / count)
  const checks: Check[] = [
    {
      name: 'bytes: an item, its record of creation and its indexes',
      ratio: each(before, created),
      target: 3000,
      isAtLeast: false,
      note: `${sentBytes()} bytes of JSON, before the search index`,
    },
    { name: 'bytes: a record of one changed property', ratio: each(created, updated), target: 1000, isAtLeast: false },
  ]
  const calls = {
    get: { method: 'GET', path: `/api/items/${ids[0]}` },
    'list of 100': { method: 'GET', path: '/api/items' },
    'poll of the history': { method: 'GET', path: '/api/change-history?after=&limit=100' },
    create: { method: 'POST', path: '/api/items', body: { ...itemOf(3), federatedId: 'one more' } },
    update: { method: 'PUT', path: `/api/items/${ids[1]}`, body: { price: -1 } },
  }
  for (const [name, call] of Object.entries(calls)) {
    await counts()
    await target.call(call)
    const { rowsRead, rowsWritten } = await counts()
    const isRead = call.method === 'GET'
    checks.push({
      name: `rows ${isRead ? 'read' : 'written'}: ${name}`,
      ratio: isRead ? rowsRead : rowsWritten,
      target: isRead ? 500 : 30,
      isAtLeast: false,
      note: `${rowsRead} read, ${rowsWritten} written`,
    })
  }
  for (const one of [target, operator, counter]) one.close()
  return checks
}
