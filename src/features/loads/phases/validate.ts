// Reads the whole file before anything is written: pipeline, claims, look-ups. What comes out of each chunk is staged for
// the write phase; with the first error only the issues are.

import { StepSuperseded } from '../../../platform/jobs/commit-step.ts'
import { LOAD_CHUNK_MAX_ISSUES } from '../../../platform/limits.ts'
import { paceOf } from '../../../platform/pace.ts'
import { advance, type LoadScope } from '../checkpoint.ts'
import { compile, readingFor, sourceOf, stagingOf, stop } from '../chunk.ts'
import { CsvFault, type HeaderState } from '../csv/dialect.ts'
import { type Rows, readRows } from '../csv/rows.ts'
import { ranges } from '../csv/source.ts'
import type { RecordRange } from '../csv/splitter.ts'
import { isPartial } from '../drafts/assortment-split.ts'
import { checkDrafts, scopeOf } from '../drafts/check-drafts.ts'
import { checkSizes } from '../drafts/check-sizes.ts'
import { memberKey, plainClaim } from '../drafts/claims.ts'
import type { Draft } from '../drafts/draft.ts'
import { Issues } from '../issues.ts'
import type { ConditionalColumn } from '../rows/conditional-columns.ts'
import { typeSource } from '../rows/effective-properties.ts'
import type { RowType } from '../rows/pipeline.ts'
import type { TypeSource } from '../rows/property.ts'
import { isExport } from '../rows/unchanged-cells.ts'
import { failed, type LoadState, readAgain, withIssues } from '../state.ts'
import { findByKey } from '../store/existing.ts'
import type { Load } from '../store/loads.ts'
import type { StagedChunk } from '../store/staging.ts'
import { fills, targetsOf } from '../targets.ts'
import { checkMoves } from './check-moves.ts'
import { checkOwed, owedClaim } from './check-owed.ts'
import { checkAssortments, resolveReferences } from './check-references.ts'
import { checkIdentifiers, checkRoles, findHeldFamilies, toLookUp } from './check-stored.ts'
import { findParts } from './find-parts.ts'
import { Ledger, NeedsClaims } from './ledger.ts'
import { typePathsIn, typesOfRows } from './row-types.ts'
import { maySettle, settle, skip } from './settle.ts'
import { beginningOf } from './write.ts'

export async function validate(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const { header } = load.state
  if (!header) throw new Error('a load validates without a header')
  const staging = stagingOf(scope, load)
  const ledger = await Ledger.open({ db: scope.db, staging }, load)
  if (!ledger) return withoutKeys(scope, load)
  const own = await staging.readTypes()
  const types = typeSource(own)
  const [{ name: root }] = targetsOf(load.state.configuration)
  const hasSubtypes = Object.keys(own).some(path => path.startsWith(`${root}:`))
  const conditionals = compile(load.state, header, new Issues()) ?? []
  // The next chunk is read while the last one is put away.
  let ahead = load.state
  let finishing: Promise<Load> | undefined
  try {
    const { start, line } = load.state
    const bounds = {
      chunkBytes: scope.bounds.chunkBytes,
      get chunkMaxRows() {
        return ahead.chunkMaxRows
      },
    }
    for await (const range of ranges({ ...sourceOf(scope, load), bounds }, header, { start, line })) {
      const rows = readRows(range, header.dialect, header.names)
      const work = { range, rows, header, conditionals, types, hasSubtypes, ledger }
      const read = await readRange(scope, load.id, ahead, work)
      load = (await finishing) ?? load
      if (read.isSpent) return tooMuchWork(scope, load, read)
      finishing = finish(scope, load, read)
      finishing.catch(() => undefined)
      ahead = read.state
      if (!(await mayGoOn())) return await ledger.leave(await finishing)
    }
  } catch (error) {
    if (!(error instanceof CsvFault || error instanceof NeedsClaims)) {
      const last = await finishing?.catch(() => undefined)
      await ledger.leave(last ?? load).catch(() => undefined)
      throw error
    }
    load = (await finishing) ?? load
    if (error instanceof NeedsClaims) return advance(scope, load, readAgain(load.state))
    const issues = new Issues()
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return stop(scope, load, { ...load.state, isReadable: false }, issues, load.state.chunks + 1, 'PARSING_CSV')
  }
  return endOfFile(scope, (await finishing) ?? load)
}

/** Whoever has the keys is at it, and leaves them. If it has died, it has been silent for longer when the watch comes. */
function withoutKeys(scope: LoadScope, load: Load): Promise<Load> {
  if (Date.now() - load.state.movedOn < 2 * paceOf(scope.env).jobBudgetMs) throw new StepSuperseded()
  return advance(scope, load, readAgain(load.state))
}

interface RangeWork {
  range: RecordRange
  rows: Rows
  header: HeaderState
  conditionals: ConditionalColumn[]
  types: TypeSource
  /** Whether a type below the root defines anything. */
  hasSubtypes: boolean
  ledger: Ledger
}

interface ReadRange {
  state: LoadState
  /** To be staged; none where there is nothing to write. */
  chunk: StagedChunk | undefined
  issues: Issues
  /** Parts of its issues that are put away already. */
  parts: number
  /** Its conditional columns have taken more work than a load may do for so many rows. */
  isSpent: boolean
}

/** Every further chunk would take as long. */
async function tooMuchWork(scope: LoadScope, load: Load, { issues, state, parts }: ReadRange): Promise<Load> {
  const message =
    'The conditional columns take more work than a load may do for so many rows. Give them fewer conditions, or simpler ones.'
  issues.error(state.header?.line ?? 1, null, 'CONFIG', message)
  const staging = stagingOf(scope, load)
  const chunk = load.state.chunks + 1
  await staging.writeIssues(chunk, issues.list, parts)
  return advance(scope, load, failed(withIssues(load.state, issues, chunk), 'VALIDATING_DATA'))
}

async function readRange(scope: LoadScope, loadId: string, state: LoadState, work: RangeWork): Promise<ReadRange> {
  const { range, rows, types, ledger } = work
  const area = state.failureArea === 'NONE' && rows.faults.length > 0 ? 'PARSING_CSV' : state.failureArea
  const { reading, issues, parts: before } = await read(scope, loadId, state, work)
  let parts = before
  await resolveReferences(scope, reading, issues)
  reading.claim()
  const questions = toLookUp(scope, reading, maySettle(reading))
  const { held, found } = await ledger.make(reading.claims.all, questions)
  const [stored, otherRoles] = found
  checkRoles(reading, stored, otherRoles, issues)
  reading.claims.settle(held)
  await findHeldFamilies(scope, reading)
  reading.claims.settle((await ledger.make(reading.claimIdentifiers())).held)
  const all = reading.decide()
  await ledger.make([...reading.late, ...(splitsInParts(state) ? movesIn(all) : [])])
  const places = await checkAssortments(scope, state, reading, issues)
  await checkIdentifiers(scope, reading, issues)
  const putAway = () => {
    if (issues.list.length < LOAD_CHUNK_MAX_ISSUES) return
    return stagingOf(scope, { id: loadId, state }).writeIssues(state.chunks + 1, issues.take(), parts++)
  }
  const find = (target: string, keys: string[]) => findByKey(scope.db, scope.org.id, target, keys)
  const findLarge = async (own: Draft, keys: string[]) => {
    await scope.alive()
    return find(scopeOf(own), keys)
  }
  const described = [...all, ...reading.lateOwn]
  const first = described.find(({ target }) => target.home === undefined)
  if (first) await checkSizes(described, reading, stored, types, issues, keys => findLarge(first, keys))
  const moved = await checkMoves(scope, described, reading, types, issues, isExport(state.configuration), putAway)
  const lacking = await checkDrafts(all, reading, state.configuration, types, issues, {
    find,
    findParts: drafts => findParts(scope, reading.targets, places.projectId, drafts),
    putAway,
  })
  const owed = [...moved, ...lacking]
  await ledger.make(owed.map(owedClaim))
  const settled = maySettle(reading) ? settle(all, reading, stored, types, state) : asTheyAre(all)
  const skipped = skip(state, rows.cells.length, settled)
  const next = withIssues(
    {
      ...state,
      start: range.start + range.bytes.length,
      line: range.nextLine,
      rows: state.rows + rows.cells.length,
      chunks: state.chunks + 1,
      skipped: skipped ?? state.skipped,
      chunkMaxRows: scope.bounds.chunkMaxRows,
      warnedOnce: issues.warnedOnce,
      typePathSeen: reading.typePathSeen ?? null,
      typePaths: typePathsIn(state.typePaths, reading.items),
      remembers: ledger.remembers,
      hasLate: state.hasLate || reading.late.length > 0,
      owes: state.owes || owed.length > 0,
      stepWarnings: state.stepWarnings.map((sum, at) => sum + (reading.pipeline.warnings[at] ?? 0)),
      inherits: state.inherits || reading.inherits,
      failureArea: area,
      ...places,
    },
    issues,
    state.chunks + 1,
  )
  const { isSpent } = reading.pipeline
  const chunk = skipped ? undefined : { rows: rows.cells.length, ...settled }
  return { state: next, chunk, issues, parts, isSpent }
}

const splitsInParts = ({ configuration }: LoadState) => fills(configuration, 'assortmentId') && isPartial(configuration)

/** What is dropped with a family follows from these, where a dry run does not write them. */
const movesIn = (drafts: readonly Draft[]) =>
  drafts.flatMap(({ target, key, family, movedFrom, line }) =>
    target.home === undefined && family !== undefined && movedFrom !== undefined
      ? plainClaim('moved', memberKey(family, key), line)
      : [],
  )

const asTheyAre = (drafts: Draft[]) => ({ drafts, unchanged: 0, areNew: false })

async function finish(scope: LoadScope, load: Load, { state, chunk, issues, parts }: ReadRange): Promise<Load> {
  const staging = stagingOf(scope, load)
  const { chunks } = load.state
  await Promise.all([
    issues.list.length > 0 ? staging.writeIssues(chunks + 1, issues.list, parts) : undefined,
    chunk && state.errors === 0 ? staging.writeChunk(chunks, chunk) : undefined,
  ])
  return advance(scope, load, state)
}

/** Where a row turns out to be of another type, its columns may mean something else, and the chunk is read again. */
async function read(
  scope: LoadScope,
  loadId: string,
  state: LoadState,
  { rows, header, conditionals, types, hasSubtypes }: RangeWork,
) {
  const staging = stagingOf(scope, { id: loadId, state })
  const chunk = state.chunks + 1
  const readAll = async (typeOf?: (line: number) => RowType | undefined) => {
    const issues = new Issues(state.warnedOnce)
    for (const fault of rows.faults) issues.error(fault.line, null, 'INVALID_DATA', fault.message)
    const reading = readingFor(state, header, conditionals, types, issues)
    await scope.db.rest()
    const step = Math.max(1, Math.floor(CELLS_AT_ONCE / header.names.length))
    let parts = 0
    for (let from = 0; from < rows.cells.length; ) {
      from = reading.read(rows, typeOf, { from, to: Math.min(from + step, rows.cells.length) })
      await scope.db.rest()
      if (issues.list.length < LOAD_CHUNK_MAX_ISSUES) continue
      await staging.writeIssues(chunk, issues.take(), parts++)
      await scope.alive()
    }
    return { issues, reading, parts }
  }
  const first = await readAll()
  if (!hasSubtypes) return first
  const [{ name: root }] = targetsOf(state.configuration)
  const rowTypes = await typesOfRows(scope, loadId, state, first.reading, root)
  if (rowTypes.size === 0) return first
  if (first.parts > 0) await staging.dropIssues(chunk)
  return readAll(line => rowTypes.get(line))
}

/** Between them others have their turn, and issues are put away: each cell may have one. */
const CELLS_AT_ONCE = 4000

async function endOfFile(scope: LoadScope, load: Load): Promise<Load> {
  const { state } = load
  const issues = new Issues()
  const chunk = state.chunks + 1
  if (state.rows === 0) {
    issues.error(state.header?.line ?? 1, null, 'INVALID_DATA', 'The file has no rows.')
    return stop(scope, load, state, issues, chunk, 'PARSING_CSV')
  }
  if (state.errors > 0) {
    return advance(scope, load, failed(state, state.failureArea === 'NONE' ? 'VALIDATING_DATA' : state.failureArea))
  }
  if (state.owes) await checkOwed(scope, load.id, issues)
  if (issues.errors > 0) return stop(scope, load, state, issues, chunk, 'VALIDATING_DATA')
  const served = new Set(state.assortments)
  const replaces = fills(state.configuration, 'assortmentId') && !isPartial(state.configuration)
  for (const [value, id] of replaces ? state.targets : []) {
    if (id === null || served.has(id)) continue
    const message = `No row has the split value ${JSON.stringify(value)}; its assortment is left as it is.`
    issues.warn(
      state.header?.line ?? 1,
      state.configuration.assortmentSplit?.fieldToSplitOn ?? null,
      'VALIDATION_ERROR',
      message,
    )
  }
  if (issues.list.length > 0) await stagingOf(scope, load).writeIssues(chunk, issues.list)
  return advance(scope, load, { ...withIssues(state, issues, chunk), ...beginningOf(state), phase: 'writing' })
}
