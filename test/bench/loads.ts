// Loads of items against a bare loop of the same bulk SQL over the same rows, from the accepted start to `completed`.
import { Target } from './client.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { type Service, setUp } from './service.ts'

interface Process {
  id: string
  status: string
  endedOn?: string
  results: { item?: { created: number; unchanged: number } }
  issues: unknown[]
}

const CONDITIONAL_COLUMNS = Array.from({ length: 10 }, (_, n) => ({
  toProperty: `made${n}`,
  conditions: [
    { conditional: `{price} > ${n * 10} && {color}.startsWith('r')`, value: '{name}-{fabric}' },
    { conditional: '{active} === true', value: 'T' },
  ],
  default: '{note}.split(" ")[0]',
}))

/** The same columns, copied instead of worked out. */
const MAPPINGS = Object.fromEntries(CONDITIONAL_COLUMNS.map(({ toProperty }) => [toProperty, 'note']))

async function upload({ target }: Service, csv: string): Promise<string> {
  const headers = { 'Content-Type': 'text/csv', 'Content-Length': String(Buffer.byteLength(csv)) }
  const { id } = await target.call<{ id: string }>({
    method: 'POST',
    path: '/api/files?fileName=bench.csv',
    headers,
    body: csv,
  })
  return id
}

/** Milliseconds. */
async function load({ target }: Service, fileLocation: string, more: Record<string, unknown> = {}): Promise<number> {
  const body = { loadType: ['ITEM'], fileLocation, ...more }
  const { id } = await target.call<Process>({ method: 'POST', path: '/api/loader-processes', body })
  const started = performance.now()
  for (;;) {
    const process = await target.call<Process>({ method: 'GET', path: `/api/loader-processes/${id}` })
    if (process.endedOn) {
      if (process.status !== 'completed') throw new Error(JSON.stringify(process))
      return performance.now() - started
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

async function bare(floor: Target, operation: 'create' | 'again', rows: number, org = 'rows'): Promise<number> {
  const started = performance.now()
  await floor.call({ method: 'POST', path: `/bulk/${operation}/${rows}/${org}` })
  return performance.now() - started
}

const rate = (rows: number, ms: number) => `${Math.round((rows / ms) * 1000).toLocaleString('en')} rows/s`

export async function benchLoads(runtime: Runtime, floorRuntime: Runtime, isQuick: boolean): Promise<Check[]> {
  const rows = isQuick ? 20_000 : 100_000
  const many = isQuick ? 60_000 : 1_000_000
  const floor = new Target(floorRuntime.url)
  const csv = csvOf(rows)
  const warm = await setUp(runtime)
  await load(warm, await upload(warm, csvOf(4000)))
  await bare(floor, 'create', 4000, 'warm')

  const org = await setUp(runtime)
  const file = await upload(org, csv)
  const [bareNew, createdMs] = [await bare(floor, 'create', rows), await load(org, file)]
  const [bareAgain, againMs] = [await bare(floor, 'again', rows), await load(org, file)]

  const plain = await setUp(runtime)
  const mappedMs = await load(plain, await upload(plain, csv), { federatedMappings: MAPPINGS })
  const heavy = await setUp(runtime)
  const heavyMs = await load(heavy, await upload(heavy, csv), { conditionalColumns: CONDITIONAL_COLUMNS })

  // Small loads before and after the large one: what else the machine does meanwhile weighs on both.
  const [before, large, after] = [await setUp(runtime), await setUp(runtime), await setUp(runtime)]
  const beforeMs = await load(before, await upload(before, csv))
  const largeMs = await load(large, await upload(large, csvOf(many)))
  const smallMs = (beforeMs + (await load(after, await upload(after, csv)))) / 2
  floor.close()
  const memory = `${Math.round(runtime.memory() / 1024 / 1024)} MB resident`
  return [
    {
      name: `load ${rows} new rows / bare SQL`,
      ratio: createdMs / bareNew,
      target: 3,
      isAtLeast: false,
      note: `${rate(rows, createdMs)}, bare ${rate(rows, bareNew)}`,
    },
    {
      name: `load ${rows} unchanged rows / bare SQL`,
      ratio: againMs / bareAgain,
      target: 3,
      isAtLeast: false,
      note: `${rate(rows, againMs)}, bare ${rate(rows, bareAgain)}`,
    },
    {
      name: '10 conditional columns / 10 mapped ones',
      ratio: heavyMs / mappedMs,
      target: 2,
      isAtLeast: false,
      note: `${rate(rows, heavyMs)}, mapped ${rate(rows, mappedMs)}`,
    },
    {
      name: `rows per second at ${many} / at ${rows}`,
      ratio: many / largeMs / (rows / smallMs),
      target: 0.8,
      isAtLeast: true,
      note: `${rate(many, largeMs)}, at ${rows} ${rate(rows, smallMs)}, ${memory}`,
    },
  ]
}
