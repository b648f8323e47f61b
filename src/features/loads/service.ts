// The verbs of loads: start and cancel. Everything that can be refused at start is refused here, all faults at once.
import type { Context } from '../../platform/context.ts'
import { orKept } from '../../platform/db/commit/idempotency.ts'
import { fieldsOf, type Write } from '../../platform/db/commit/write.ts'
import { type Entity, type EntityRow, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault, type FieldError, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { commitStep, StepSuperseded } from '../../platform/jobs/commit-step.ts'
import { cancelJob, insertJob } from '../../platform/jobs/store.ts'
import { sendJobs, wakeJobs, watchJobs } from '../../platform/jobs/watchdog.ts'
import { KB, LOAD_CONFIGURATION_MAX_BYTES, LOAD_FILE_MAX_BYTES, MB } from '../../platform/limits.ts'
import { commitTold } from '../audit/service.ts'
import { getEntity } from '../entities/service.ts'
import { FILE } from '../files/kind.ts'
import { uploadOf } from '../files/service.ts'
import { keyOf, roomFor } from '../files/store.ts'
import { alreadyOver } from './already-over.ts'
import { type FileContent, readConfigurationFile, unite } from './configuration/file.ts'
import { resolve } from './configuration/resolve-project.ts'
import { checkConfiguration } from './configuration/rules.ts'
import type { LoadCheck, LoaderConfiguration } from './contract.ts'
import { CsvFault } from './csv/dialect.ts'
import { Issues } from './issues.ts'
import { BOUNDS } from './job.ts'
import { LOADER_PROCESS } from './kind.ts'
import { LOAD_LANE } from './lane.ts'
import { publicFields } from './progress.ts'
import { readHeader } from './read-header.ts'
import { type LoadState, newState } from './state.ts'
import { type Load, oneMoreLoad, readLoad } from './store/loads.ts'

/** `own`: a file whose content lies ready; its record is made with the load, and removed with it. */
export function startLoad(context: Context, body: unknown, own?: Write): Promise<Entity> {
  return orKept(
    context,
    () => startNew(context, body, own),
    rows => entityOf(rows[0] as EntityRow),
  )
}

/** The configuration with what it names, or a refusal of all its faults. `csvOf`: looks up its file. */
async function checkedConfiguration<File extends { faults: FieldError[] }>(
  context: Context,
  body: unknown,
  csvOf: (configuration: LoaderConfiguration) => Promise<File>,
  placeholder: Record<string, unknown> = {},
) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid([{ path: '', message: 'Expected an object.' }])
  }
  const inline = body as Record<string, unknown>
  const file = await configurationFile(context, inline.loaderConfigurationId)
  if ('faults' in file) throw invalid(file.faults)
  const checked = checkConfiguration({ ...placeholder, ...unite(file.content, inline) })
  if ('faults' in checked) throw invalid(checked.faults, 'The loader configuration is not valid.')
  const { configuration } = checked
  const [csv, { faults, ...found }] = await Promise.all([csvOf(configuration), resolve(context, configuration)])
  const all = [...csv.faults, ...faults]
  if (all.length > 0) throw invalid(all, 'The loader configuration is not valid.')
  return { configuration, csv, found }
}

const stateOf = (configuration: LoaderConfiguration, csv: CsvFile, found: Found, chainDepth?: number) =>
  newState(configuration, { fileSize: csv.size, fileKey: csv.fileKey, chainDepth: chainDepth || undefined, ...found })

type CsvFile = Awaited<ReturnType<typeof csvFile>>
type Found = Omit<Awaited<ReturnType<typeof resolve>>, 'faults'>

/** Takes the place of the file where a configuration is checked without one. */
const NO_FILE = '-'

/** What a load of this configuration would be refused for, and what the header of its file shows; nothing is written (N81). */
export async function checkLoad(context: Context, body: unknown): Promise<LoadCheck> {
  const csvOf = async (configuration: LoaderConfiguration) =>
    configuration.fileLocation === NO_FILE ? WITHOUT_FILE : csvFile(context, configuration)
  const { configuration, csv, found } = await checkedConfiguration(context, body, csvOf, { fileLocation: NO_FILE })
  const issues = new Issues()
  const hasFile = configuration.fileLocation !== NO_FILE
  const columns = hasFile ? await columnsOf(context, stateOf(configuration, csv, found), issues) : null
  return { columns, issues: issues.shown, errorCount: issues.errors, warningCount: issues.warnings }
}

const WITHOUT_FILE: CsvFile = { size: 0, fileName: '', fileKey: '', faults: [] }

async function columnsOf(context: Context, state: LoadState, issues: Issues): Promise<string[] | null> {
  try {
    return (await readHeader({ ...context, bounds: BOUNDS }, state, issues)).found.names
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return null
  }
}

async function startNew(context: Context, body: unknown, own?: Write): Promise<Entity> {
  const { configuration, csv, found } = await checkedConfiguration(context, body, checked =>
    csvFile(context, checked, own),
  )
  const id = newId()
  const state = stateOf(configuration, csv, found, context.chainDepth)
  const name = configuration.name ?? `Load of ${csv.fileName}`
  const ownsFile = own ? true : null
  const data = { typePath: LOADER_PROCESS.name, ...configuration, ownsFile, name, ...publicFields(state) }
  const write: Write = { op: 'create', kind: LOADER_PROCESS, id, data: withoutNulls(data) }
  await watchJobs(context.env, LOAD_LANE, context.org.id)
  const work = {
    before: [oneMoreLoad(context.org.id), ...(own ? [roomFor({ orgId: context.org.id }, csv.size, 1)] : [])],
    after: [insertJob({ id, orgId: context.org.id, lane: LOAD_LANE, kind: 'load', state, now: context.now })],
  }
  const told = own && uploadOf(own.id, csv.fileName, csv)
  const { rows } = await commitTold(context, own ? [write, own] : [write], work, told)
  await sendJobs(context.env, LOAD_LANE, context.org.id)
  const [row] = rows
  if (!row) throw new Error('a committed load did not come back')
  return entityOf(row)
}

/** Create stores no nulls; the answer shows the same absence later. */
function withoutNulls(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))
}

async function findFile(context: Context, id: unknown): Promise<Entity | undefined> {
  if (typeof id !== 'string') return undefined
  try {
    return await getEntity(context, FILE, id)
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return undefined
    throw error
  }
}

async function csvFile(context: Context, { fileLocation }: LoaderConfiguration, own?: Write) {
  const fault = (message: string) => ({
    size: 0,
    fileName: '',
    fileKey: '',
    faults: [{ path: '/fileLocation', message }] as FieldError[],
  })
  const file: Entity | undefined = own
    ? { ...fieldsOf(own), id: own.id, version: 1 }
    : await findFile(context, fileLocation)
  const name = JSON.stringify(fileLocation)
  if (!file) return fault(`There is no file with the id ${name}. Upload it to /files first.`)
  if (file.status !== 'ready') return fault(`The file ${name} has no content yet: its upload has not ended.`)
  if (Number(file.size) > LOAD_FILE_MAX_BYTES) {
    return fault(
      `The file ${name} has ${file.size} bytes; at most ${LOAD_FILE_MAX_BYTES / MB} MB are allowed. Split it.`,
    )
  }
  const fileKey = keyOf(context.org.id, file)
  return { size: Number(file.size), fileName: String(file.fileName), fileKey, faults: [] as FieldError[] }
}

async function configurationFile(context: Context, id: unknown): Promise<FileContent> {
  if (id === undefined) return { content: {} }
  const path = '/loaderConfigurationId'
  const file = await findFile(context, id)
  const name = JSON.stringify(id)
  if (file?.status !== 'ready') {
    return { faults: [{ path, message: `There is no file with the id ${name}, or it has no content yet.` }] }
  }
  if (Number(file.size) > LOAD_CONFIGURATION_MAX_BYTES) {
    const message = `The file ${name} is larger than ${LOAD_CONFIGURATION_MAX_BYTES / KB} KB: this is no configuration.`
    return { faults: [{ path, message }] }
  }
  const object = await context.env.FILES.get(keyOf(context.org.id, file))
  const bytes = (await object?.arrayBuffer()) ?? new ArrayBuffer(0)
  return readConfigurationFile(bytes)
}

export async function cancelLoading(context: Context, id: string): Promise<Entity> {
  const { db, org } = context
  const load = await readLoad(db, org.id, id)
  if (load?.state.outcome === null && (await cancelUnderWay(context, load)))
    return getEntity(context, LOADER_PROCESS, id)
  // The load before its process: the status of one that has ended meanwhile is then the last one.
  const over = await readLoad(db, org.id, id)
  return alreadyOver(context, 'load', await getEntity(context, LOADER_PROCESS, id), over?.state.outcome)
}

/** False where it has ended meanwhile. */
async function cancelUnderWay(context: Context, load: Load): Promise<boolean> {
  const { env, db, org } = context
  if (load.step === 0 && (await cancelWaiting(context, load))) {
    // Whoever was about to open it finds it gone, and may have been sent for the next one.
    await sendJobs(env, LOAD_LANE, org.id)
    return true
  }
  if (!(await cancelJob(db, 'organization', org.id, load.id))) return false
  await wakeJobs(env, LOAD_LANE, org.id)
  return true
}

/** A load that has not begun ends at once; false where it has begun meanwhile. */
async function cancelWaiting(context: Context, load: Load): Promise<boolean> {
  const patch = { status: 'cancelled', endedOn: timeText(context.now) }
  const writes = [{ op: 'update', kind: LOADER_PROCESS, id: load.id, patch } as const]
  try {
    await commitStep(context, load, load.state, { writes, endsIt: true, isDone: true })
    return true
  } catch (error) {
    if (error instanceof StepSuperseded) return false
    throw error
  }
}
