// Exports and reverts against the load of the same rows. The state before a wrong load, and after it is taken back, is compared by export. Conditions: one organization
// in one runtime; first a load of a tenth of the rows, then the wrong load of all of them with other names, so that a tenth is
// updated and the rest created; the median of three exports.
import { type Exported, exported } from './export.ts'
import { load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'

const LOOKS_EVERY_MS = 50
const EXPORTS = 3
/** Without versions and times, which a revert changes. */
const FOR_LOAD = { format: 'csv-load' } as const

async function reverted({ target }: Service, loadId: string): Promise<number> {
  const started = performance.now()
  const path = `/api/loader-processes/${loadId}/revert`
  const { id } = await target.call<{ id: string }>({ method: 'POST', path, body: {} })
  for (;;) {
    const revert = await target.call<{ status: string; endedOn?: string; issueCount: number }>({
      method: 'GET',
      path: `/api/revert-processes/${id}`,
    })
    if (revert.endedOn) {
      if (revert.status !== 'completed' || revert.issueCount > 0) throw new Error(JSON.stringify(revert))
      return performance.now() - started
    }
    await new Promise(resolve => setTimeout(resolve, LOOKS_EVERY_MS))
  }
}

export async function benchUndo(runtime: Runtime, isQuick: boolean): Promise<Check[]> {
  const rows = isQuick ? 20_000 : 100_000
  const service = await setUp(runtime)
  const { target } = service
  await load(service, await upload(service, csvOf(rows / 10)))
  const before = await exported(runtime, service, FOR_LOAD)
  const wrong = csvOf(rows).replaceAll('Name of', 'Wrong name of')
  const loadMs = await load(service, await upload(service, wrong))
  const exports: Exported[] = []
  for (let at = 0; at < EXPORTS; at++) exports.push(await exported(runtime, service, FOR_LOAD))
  const [, median] = exports.sort((a, b) => a.ms - b.ms)
  if (median?.rows !== rows) throw new Error(`the export has ${median?.rows} rows`)
  const query = 'order={"orderField":"createdOn","order":"desc"}&limit=1'
  const page = await target.call<{ results: { id: string }[] }>({
    method: 'GET',
    path: `/api/loader-processes?${encodeURI(query)}`,
  })
  const revertMs = await reverted(service, page.results[0]?.id ?? '')
  const after = await exported(runtime, service, FOR_LOAD)
  target.close()
  return [
    {
      name: `export of ${rows} items as CSV: time against their load`,
      ratio: median.ms / loadMs,
      target: 1,
      isAtLeast: false,
      note: `${rate(rows, median.ms)} against ${rate(rows, loadMs)}`,
    },
    {
      name: `revert of a load of ${rows} rows: time against the load`,
      ratio: revertMs / loadMs,
      target: 2,
      isAtLeast: false,
      note: `${rate(rows, revertMs)} against ${rate(rows, loadMs)}`,
    },
    {
      name: 'the state before the load, after its revert (1: the exports are the same, byte by byte)',
      ratio: after.digest === before.digest ? 1 : 0,
      target: 1,
      isAtLeast: true,
      note: `${after.rows} rows`,
    },
  ]
}
