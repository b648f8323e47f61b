// Loads of items against a bare loop of the same bulk SQL over the same rows, and of many rows against fewer.
import { Target } from './client.ts'
import { bare, load, rate, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { untilFound } from './search.ts'
import { type Service, setUp } from './service.ts'
import { type Compared, sideBySide } from './side-by-side.ts'

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

const WARM_ROWS = 4000

interface Loaded extends Service {
  file: string
  /** Of its last row. */
  lastKey: string
}

async function organization(runtime: Runtime, rows: number): Promise<Loaded> {
  const service = await setUp(runtime)
  return { ...service, file: await upload(service, csvOf(rows)), lastKey: `F${rows - 1}` }
}

/** What the search index has left to do must not disturb what is measured next. */
async function loadOf(org: Loaded, more?: Record<string, unknown>): Promise<number> {
  const ms = await load(org, org.file, more)
  await untilFound(org.target, org.lastKey)
  return ms
}

export async function benchLoads(service: Runtime, floorRuntime: Runtime, isQuick: boolean): Promise<Check[]> {
  const rounds = 3
  const rows = isQuick ? 20_000 : 100_000
  const floor = new Target(floorRuntime.url)
  const warm = await organization(service, WARM_ROWS)
  for (let times = 0; times < 2; times++) await loadOf(warm)
  for (const operation of ['create', 'again'] as const) await bare(floor, operation, WARM_ROWS, 'warm')

  const orgs: Loaded[] = []
  for (let round = 0; round < rounds; round++) orgs.push(await organization(service, rows))
  const each = (operation: 'create' | 'again') => {
    const [ours, theirs] = [orgs.values(), orgs.keys()]
    return sideBySide(
      rounds,
      () => loadOf(ours.next().value ?? warm),
      () => bare(floor, operation, rows, `rows-${theirs.next().value}`),
      false,
    )
  }
  const created = await each('create')
  const again = await each('again')
  const heavy = await sideBySide(
    rounds,
    async () => loadOf(await organization(service, rows), { conditionalColumns: CONDITIONAL_COLUMNS }),
    async () => loadOf(await organization(service, rows), { federatedMappings: MAPPINGS }),
    false,
  )
  floor.close()
  const check = (name: string, target: number, { ratio, ours, theirs }: Compared): Check => ({
    name,
    ratio,
    target,
    isAtLeast: false,
    note: `${rate(rows, ours)} against ${rate(rows, theirs)}`,
  })
  return [
    check(`load of ${rows} new rows: time against bare SQL`, 1.5, created),
    check(`load of ${rows} unchanged rows: time against bare SQL`, 1.3, again),
    check('load with 10 conditional columns: time against 10 mapped ones', 2, heavy),
  ]
}
