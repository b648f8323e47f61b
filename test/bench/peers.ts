// The service beside Directus, with the same items over HTTP in the same run. Both authenticate, validate and keep a history.
import { throughput } from './client.ts'
import { addCollection, type Directus, startDirectus, VERSION } from './directus.ts'
import { itemOf } from './items.ts'
import { load, rate, upload } from './load.ts'
import { csvOf, HEADER } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { untilFound } from './search.ts'
import { type Service, setUp } from './service.ts'
import { median, sideBySide } from './side-by-side.ts'

const COLLECTION = 'products'
const CONCURRENCY = 8
const SEEDED = 100
const LOADED_ROWS = 20_000
const LOADS_IN_A_ROW = 5

const PROPERTIES = {
  ...Object.fromEntries(HEADER.map(name => [name, 'string'])),
  name: 'string',
  color: 'string',
  price: 'float',
  season: 'string',
  isNew: 'boolean',
  sizes: 'json',
}

let imports = 0

/** Into a collection of its own, where every row is new, as for ours. */
async function importCsv(directus: Directus, csv: string, key?: string): Promise<number> {
  const collection = `imported_${++imports}`
  await addCollection(directus, collection, PROPERTIES, key)
  const boundary = 'boundary-of-the-bench'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.csv"\r\nContent-Type: text/csv\r\n\r\n`
  const started = performance.now()
  await directus.target.call({
    method: 'POST',
    path: `/utils/import/${collection}`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `${head}${csv}\r\n--${boundary}--\r\n`,
  })
  return performance.now() - started
}

/**
 * Each into an organization of its own, where every row is new: several in a row, since one of theirs takes so long. Directus has no
 * search index: what ours has left to do after a load must not disturb the next.
 */
async function loadAfresh(runtime: Runtime, csv: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < LOADS_IN_A_ROW; n++) {
    const service = await setUp(runtime)
    times.push(await load(service, await upload(service, csv)))
    await untilFound(service.target, `F${LOADED_ROWS - 1}`)
    service.target.close()
  }
  return median(times)
}

async function seed({ target }: Service, directus: Directus): Promise<{ ours: string[]; theirs: string[] }> {
  const ids: { ours: string[]; theirs: string[] } = { ours: [], theirs: [] }
  for (let n = 0; n < SEEDED; n++) {
    const body = itemOf(n)
    ids.ours.push((await target.call<{ id: string }>({ method: 'POST', path: '/api/items', body })).id)
    const path = `/items/${COLLECTION}`
    const { data } = await directus.target.call<{ data: { id: number } }>({ method: 'POST', path, body })
    ids.theirs.push(String(data.id))
  }
  return ids
}

/** Each comparison has a Directus of its own: none pays for what another has left in it. */
export async function benchPeers(runtime: Runtime, isQuick: boolean): Promise<Check[]> {
  const within = async (compare: (directus: Directus) => Promise<Check[]>) => {
    const directus = await startDirectus()
    try {
      return await compare(directus)
    } finally {
      await directus.stop()
    }
  }
  return [
    ...(await within(directus => compareRequests(runtime, directus, isQuick))),
    ...(await within(directus => compareLoads(runtime, directus, isQuick, 'by key', HEADER[0]))),
    ...(await within(directus => compareLoads(runtime, directus, isQuick, 'against rows without a key'))),
  ]
}

const check = (name: string, ratio: number, target: number, note: string): Check => ({
  name: `${name} against Directus ${VERSION}`,
  ratio,
  target,
  isAtLeast: true,
  note,
})

async function compareRequests(runtime: Runtime, directus: Directus, isQuick: boolean): Promise<Check[]> {
  await addCollection(directus, COLLECTION, PROPERTIES)
  const service = await setUp(runtime)
  const { target } = service
  const [rounds, seconds] = isQuick ? [5, 1] : [21, 1.5]
  const ids = await seed(service, directus)
  let at = 0
  const next = (list: string[]) => list[at++ % list.length]
  const get = await sideBySide(
    rounds,
    () => throughput(target, () => ({ method: 'GET', path: `/api/items/${next(ids.ours)}` }), CONCURRENCY, seconds),
    () =>
      throughput(
        directus.target,
        () => ({ method: 'GET', path: `/items/${COLLECTION}/${next(ids.theirs)}` }),
        CONCURRENCY,
        seconds,
      ),
  )
  const create = await sideBySide(
    rounds,
    () => throughput(target, () => ({ method: 'POST', path: '/api/items', body: itemOf(at++) }), CONCURRENCY, seconds),
    () =>
      throughput(
        directus.target,
        () => ({ method: 'POST', path: `/items/${COLLECTION}`, body: itemOf(at++) }),
        CONCURRENCY,
        seconds,
      ),
  )
  const perSecond = (a: number, b: number) => `${Math.round(a)}/s against ${Math.round(b)}/s`
  return [
    check('get one: requests/s', get.ratio, 3, perSecond(get.ours, get.theirs)),
    check('create: requests/s', create.ratio, 5, perSecond(create.ours, create.theirs)),
  ]
}

async function compareLoads(
  runtime: Runtime,
  directus: Directus,
  isQuick: boolean,
  name: string,
  key?: string,
): Promise<Check[]> {
  const csv = csvOf(LOADED_ROWS)
  const { ratio, ours, theirs } = await sideBySide(
    isQuick ? 1 : 3,
    () => loadAfresh(runtime, csv),
    () => importCsv(directus, csv, key),
  )
  const figures = `${rate(LOADED_ROWS, ours)} against ${rate(LOADED_ROWS, theirs)}`
  return [check(`CSV load of ${LOADED_ROWS} rows ${name}: rows/s`, 1 / ratio, 30, figures)]
}
