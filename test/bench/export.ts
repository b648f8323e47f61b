// An export of many items: what a runtime held to an isolate's heap takes of memory on the way (N51).
import { createHash } from 'node:crypto'
import { rate } from './load.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { seedItems } from './seed.ts'
import { type Service, setUp } from './service.ts'

const MB = 1024 * 1024
const LOOKS = 10

export interface Exported {
  rows: number
  ms: number
  digest: string
}

export async function exported(
  runtime: Runtime,
  { headers }: Service,
  { seen = () => {}, format = 'csv' }: { seen?: (rows: number) => void; format?: 'csv' | 'csv-load' } = {},
): Promise<Exported> {
  const started = performance.now()
  const response = await fetch(`${runtime.url}/api/items/export?format=${format}`, { headers })
  if (!response.ok || !response.body) throw new Error(await response.text())
  const digest = createHash('sha256')
  let rows = -1
  for await (const piece of response.body) {
    digest.update(piece)
    for (const byte of piece) if (byte === 0x0a) rows++
    seen(rows)
  }
  return { rows, ms: performance.now() - started, digest: digest.digest('hex') }
}

/** The most that is taken from the second tenth on, against what was taken after the first. */
export async function benchExport(runtime: Runtime, isQuick: boolean): Promise<Check[]> {
  const items = isQuick ? 100_000 : 1_000_000
  const service = await setUp(runtime)
  const { orgId } = await service.target.call<{ orgId: string }>({
    method: 'POST',
    path: '/api/projects',
    body: { name: 'p' },
  })
  await seedItems(runtime, orgId, items)
  const taken: number[] = []
  const { rows, ms } = await exported(runtime, service, {
    seen: read => {
      if (read >= ((taken.length + 1) * items) / LOOKS) taken.push(runtime.memory() / MB)
    },
  })
  service.target.close()
  if (rows !== items) throw new Error(`the export has ${rows} rows`)
  const [first = 0, ...later] = taken
  const most = Math.max(...later)
  return [
    {
      name: `export of ${items} items: most memory on the way, against the first tenth`,
      ratio: most / first,
      target: 1.2,
      isAtLeast: false,
      note: `${most.toFixed(0)} MB; ${rate(rows, ms)}`,
    },
  ]
}
