// One load of items, by the service and by the floor.
import type { Target } from './client.ts'
import type { Service } from './service.ts'

interface Process {
  id: string
  status: string
  createdOn: string
  updatedOn: string
  endedOn?: string
}

/** Each look takes 2 ms of the one thread that everything shares here. */
const LOOKS_EVERY_MS = 250

export async function upload({ target }: Service, csv: string): Promise<string> {
  const { id } = await target.call<{ id: string }>({
    method: 'POST',
    path: '/api/files?fileName=bench.csv',
    headers: { 'Content-Type': 'text/csv' },
    body: csv,
  })
  return id
}

/** Milliseconds from the accepted start to `completed`, by the clock that stamps both. */
export async function load(
  { target }: Service,
  fileLocation: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  const body = { loadType: ['ITEM'], fileLocation, ...more }
  const { id } = await target.call<Process>({ method: 'POST', path: '/api/loader-processes', body })
  for (;;) {
    const process = await target.call<Process>({ method: 'GET', path: `/api/loader-processes/${id}` })
    if (process.endedOn) {
      if (process.status !== 'completed') throw new Error(JSON.stringify(process))
      return Date.parse(process.updatedOn) - Date.parse(process.createdOn)
    }
    await new Promise(resolve => setTimeout(resolve, LOOKS_EVERY_MS))
  }
}

/** Milliseconds of a bare loop of the bulk SQL over the same rows. */
export async function bare(floor: Target, operation: 'create' | 'again', rows: number, org: string): Promise<number> {
  const started = performance.now()
  await floor.call({ method: 'POST', path: `/bulk/${operation}/${rows}/${org}` })
  return performance.now() - started
}

export const rate = (rows: number, ms: number) => `${Math.round((rows / ms) * 1000).toLocaleString('en')} rows/s`
