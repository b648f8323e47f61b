// Loads as a caller makes them: upload, start, wait for the end.
import { expect, onTestFinished, vi } from 'vitest'
import type { LoadBounds } from '../../../src/features/loads/checkpoint.ts'
import { BOUNDS } from '../../../src/features/loads/job.ts'
import { LOAD_LANE } from '../../../src/features/loads/lane.ts'
import { readLoad, type Load as StoredLoad } from '../../../src/features/loads/store/loads.ts'
import { lanes } from '../../../src/jobs.ts'
import { background } from '../../../src/platform/background.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import type { Env } from '../../../src/platform/env.ts'
import { runLane } from '../../../src/platform/jobs/run.ts'
import { WatchObject } from '../../../src/platform/wake/watch-object.ts'
import { env, fetchWorker, type Json, type TestOrg } from '../api.ts'
import { eventually } from '../eventually.ts'

export type Load = Json & {
  id: string
  status: string
  failureArea: string
  results: Record<string, { created: number; updated: number; unchanged: number; removed: number }>
  issues: { rowNumber: number; columnName: string | null; message: string; issueType: string; severity: string }[]
}

/** Nobody is woken, by message or by watch, until the test lets go. */
export function holdLoads(): () => void {
  const send = vi.spyOn(env.LOAD_QUEUE, 'send').mockResolvedValue(undefined as never)
  const watch = vi.spyOn(WatchObject.prototype, 'watch').mockResolvedValue()
  const letGo = () => {
    send.mockRestore()
    watch.mockRestore()
  }
  onTestFinished(letGo)
  return letGo
}

/** What a wake-up does. */
export function workOnLoads(given: Env, orgId: string, bounds?: LoadBounds): Promise<void> {
  const lane = lanes(bounds).find(({ name }) => name === LOAD_LANE)
  return lane ? runLane(given, lane, orgId) : Promise.reject(new Error('no lane of loads'))
}

export async function upload(org: TestOrg, content: string | Uint8Array, fileName = 'load.csv'): Promise<string> {
  const response = await fetchWorker(`/api/files?fileName=${fileName}`, {
    method: 'POST',
    body: content,
    headers: org.headers,
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

export async function start(org: TestOrg, content: string | Uint8Array, configuration: Json): Promise<Load> {
  const fileLocation = await upload(org, content)
  const answer = await org.post<Load>('/loader-processes', { fileLocation, ...configuration })
  expect(answer.body).toMatchObject({ status: 'pending' })
  expect(answer.status).toBe(202)
  return answer.body
}

export async function ended(org: TestOrg, id: string): Promise<Load> {
  const look = async () => (await org.get<Load>(`/loader-processes/${id}`)).body
  return eventually(look, ({ endedOn }) => endedOn !== undefined)
}

export async function load(org: TestOrg, content: string | Uint8Array, configuration: Json = {}): Promise<Load> {
  const { id } = await start(org, content, { loadType: ['ITEM'], ...configuration })
  return ended(org, id)
}

/** Wakes a load until it has ended; with small bounds a few rows are several chunks and commits. Loads must be held. */
export async function worked(org: TestOrg, id: string, bounds = BOUNDS): Promise<Load> {
  const look = async () => {
    await workOnLoads(env, org.id, bounds)
    return (await org.get<Load>(`/loader-processes/${id}`)).body
  }
  return eventually(look, ({ endedOn }) => endedOn !== undefined)
}

export const SMALL = { ...BOUNDS, chunkMaxRows: 4, commitMaxEntities: 5 }

/** One of several on a load. */
export function workerOf(org: TestOrg, id: string, bounds = BOUNDS) {
  return { ...background(env, org, { id, type: 'loader' }), alive: async () => undefined, bounds }
}

export async function stored(org: TestOrg, id: string): Promise<StoredLoad> {
  const load = await readLoad(databaseFor(env, org.id), org.id, id)
  if (!load) throw new Error('no load')
  return load
}

export const brief = ({ issues }: Load) =>
  issues.map(({ rowNumber, columnName, issueType, severity }) => `${severity} ${rowNumber} ${columnName} ${issueType}`)

export async function text(org: TestOrg, fileId: unknown): Promise<string> {
  const response = await fetchWorker(`/api/files/${fileId}/content`, { headers: org.headers })
  expect(response.status).toBe(200)
  return response.text()
}

export async function all(org: TestOrg, path: string, criteria: Json = {}): Promise<Json[]> {
  const { body, status } = await org.get(path, { criteria, limit: 1000 })
  expect(status).toBe(200)
  return body.results ?? []
}

export async function one(org: TestOrg, path: string, federatedId: string): Promise<Json> {
  const found = await all(org, path, { federatedId })
  expect(found).toHaveLength(1)
  return found[0] ?? {}
}
