// `npm run bench -- memory`: ten large loads in one runtime, each looked at once the search index has what it wrote. What grows is either
// ours, which shows in the heap of our isolate, or the local engine's, which shows in the heaps of the others, and in the resident
// memory of a bare Worker that writes the same rows as well.
import { Target } from './client.ts'
import { bare, load, upload } from './load.ts'
import { csvOf } from './load-rows.ts'
import type { Check } from './report.ts'
import type { Runtime } from './runtime.ts'
import { untilFound } from './search.ts'
import { setUp } from './service.ts'

const MB = 1024 * 1024
const LOADS = 10
/** By then caches have the size that they keep. */
const SETTLED_AFTER = 2

interface Held {
  resident: number
  own: number
  all: number
}

const megabytes = (bytes: number) => `${Math.round(bytes / MB)} MB`

async function inTurn(runtime: Runtime, name: string, once: (turn: number) => Promise<unknown>): Promise<Held[]> {
  const held: Held[] = []
  for (let turn = 1; turn <= LOADS; turn++) {
    await once(turn)
    const resident = runtime.memory()
    const { own, all } = await runtime.heaps()
    held.push({ resident, own, all })
    console.log(
      `${name} ${turn}: resident ${megabytes(resident)}, heap of its isolate ${megabytes(own)}, of all ${megabytes(all)}`,
    )
  }
  return held
}

export async function benchMemory(service: Runtime, floorRuntime: Runtime, isQuick: boolean): Promise<Check[]> {
  const rows = isQuick ? 20_000 : 300_000
  const csv = csvOf(rows)
  console.log()
  const ours = await inTurn(service, 'load', async () => {
    const organization = await setUp(service)
    await load(organization, await upload(organization, csv))
    await untilFound(organization.target, `F${rows - 1}`)
    organization.target.close()
  })
  const floor = new Target(floorRuntime.url)
  const theirs = await inTurn(floorRuntime, 'bare SQL', turn => bare(floor, 'create', rows, `memory-${turn}`))
  floor.close()
  const ourResident = grown(ours, 'resident')
  const theirResident = grown(theirs, 'resident')
  return [
    {
      ...grown(ours, 'own'),
      name: `heap of our isolate after ${LOADS} loads of ${rows} rows against ${SETTLED_AFTER}`,
      target: 1.1,
    },
    { ...grown(ours, 'all'), name: 'heaps of all isolates of the runtime, the same', target: 1.1 },
    {
      ...ourResident,
      name: 'resident memory of the runtime, the same',
      // What the bare Worker's runtime grows by is the engine's.
      target: Number(Math.max(1.1, theirResident.ratio * 1.1).toFixed(2)),
      note: `${ourResident.note}; with bare SQL ${theirResident.note}`,
    },
  ]
}

function grown(held: readonly Held[], what: keyof Held): { ratio: number; note: string; isAtLeast: false } {
  const [settled = Number.NaN, last = Number.NaN] = [held[SETTLED_AFTER - 1]?.[what], held.at(-1)?.[what]]
  return { ratio: last / settled, note: `${megabytes(settled)} to ${megabytes(last)}`, isAtLeast: false }
}
