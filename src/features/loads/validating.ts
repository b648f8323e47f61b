// Reads the whole file before anything is written: pipeline, claims, look-ups. What comes out of each chunk is staged for
// the write phase; with the first error only the issues are.
import { KIND_NAMES } from '../../kinds.ts'
import { timeText } from '../../platform/db/row.ts'
import { ExpressionSyntaxError } from '../../platform/expression/errors.ts'
import { LOAD_MAX_ASSORTMENTS } from '../../platform/limits.ts'
import { readTypes } from '../types/store.ts'
import { CsvFault } from './csv/dialect.ts'
import { type Rows, readRows } from './csv/rows.ts'
import type { RecordRange } from './csv/splitter.ts'
import { type ConditionalColumn, compileColumns } from './pipeline/conditional.ts'
import { Issues } from './pipeline/issues.ts'
import type { TypeSource } from './pipeline/property.ts'
import { needsProject } from './resolve.ts'
import { openHeader, ranges, type Source } from './source.ts'
import { Staging } from './staging.ts'
import { failed, type HeaderState, type LoadState, withIssues } from './state.ts'
import { advance, type LoadScope } from './step.ts'
import { findAssortments } from './store/assortments.ts'
import { makeClaims } from './store/claims.ts'
import { findByKey, findReferenced, typePathsOf } from './store/existing.ts'
import type { Load } from './store/loads.ts'
import { checkDrafts } from './transform/check-drafts.ts'
import type { Draft } from './transform/draft.ts'
import { Reading, targetsOf } from './transform/reading.ts'
import { isPartial, splitTable } from './transform/split.ts'
import { ownProperties, typeSource } from './types-source.ts'

export function sourceOf(scope: LoadScope, { state }: Load): Source {
  const { configuration, fileSize } = state
  return { bucket: scope.env.FILES, orgId: scope.org.id, fileId: configuration.fileLocation, size: fileSize }
}

const stagingOf = (scope: LoadScope, load: Load) => new Staging(scope.env.FILES, scope.org.id, load.id)

/** The header, and what it alone shows. */
export async function open(scope: LoadScope, load: Load): Promise<Load> {
  const issues = new Issues()
  const staging = stagingOf(scope, load)
  const started = { ...load.state, startedOn: timeText(Date.now()) }
  try {
    const { header, place } = await openHeader(sourceOf(scope, load))
    for (const { line, column, message } of header.faults)
      issues.error(line, column ?? null, 'HEADER_MISMATCH', message)
    const found: HeaderState = {
      dialect: place.dialect,
      names: header.names,
      line: place.line,
      end: place.end,
      nextLine: place.nextLine,
    }
    const types = ownProperties(await readTypes(scope.db, scope.org.id), targetsOf(load.state.configuration))
    await staging.writeTypes(types)
    const opened: LoadState = { ...started, header: found, start: place.end, line: place.nextLine, phase: 'validating' }
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'PARSING_CSV')
    const conditionals = compile(opened, found, issues)
    const reading = conditionals && readingFor(opened, found, conditionals, typeSource(types), issues)
    reading?.checkHeader()
    if (issues.errors > 0) return stop(scope, load, opened, issues, 0, 'VALIDATING_DATA')
    const next = {
      ...withIssues(opened, issues, 0),
      said: issues.said,
      stepWarnings: [...(reading?.pipeline.warnings ?? [])],
    }
    if (issues.list.length > 0) await staging.writeIssues(0, issues.list)
    return advance(scope, load, next)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return stop(scope, load, { ...started, isReadable: false }, issues, 0, 'PARSING_CSV')
  }
}

async function stop(
  scope: LoadScope,
  load: Load,
  state: LoadState,
  issues: Issues,
  chunk: number,
  area: 'PARSING_CSV' | 'VALIDATING_DATA',
) {
  await stagingOf(scope, load).writeIssues(chunk, issues.list)
  return advance(scope, load, failed(withIssues(state, issues, chunk), area))
}

function compile({ configuration }: LoadState, header: HeaderState, issues: Issues): ConditionalColumn[] | undefined {
  const { conditionalColumns = [], federatedMappings = {} } = configuration
  const made = conditionalColumns.map(({ toProperty }) => toProperty)
  try {
    return compileColumns(conditionalColumns, new Set([...header.names, ...Object.keys(federatedMappings), ...made]))
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    issues.error(
      header.line,
      null,
      'CONFIG',
      `An expression cannot be read with the columns of this file: ${error.message}.`,
    )
    return undefined
  }
}

function readingFor(
  state: LoadState,
  header: HeaderState,
  conditionals: ConditionalColumn[],
  types: TypeSource,
  issues: Issues,
): Reading {
  const { configuration, targets } = state
  const split = configuration.loadType.includes('ASSORTMENT') ? splitTable(configuration, new Map(targets)) : undefined
  const typePathSeen = state.typePathSeen ?? undefined
  return new Reading({ configuration, header, conditionals, types, split, issues, typePathSeen })
}

export async function validate(scope: LoadScope, given: Load, mayGoOn: () => Promise<boolean>): Promise<Load> {
  let load = given
  const { header } = load.state
  if (!header) throw new Error('a load validates without a header')
  const own = await stagingOf(scope, load).readTypes()
  const types = typeSource(own)
  const root = targetsOf(load.state.configuration)[0]
  const hasSubtypes = Object.keys(own).some(path => path.startsWith(`${root}:`))
  const conditionals = compile(load.state, header, new Issues()) ?? []
  // The next chunk is read while the last one is put away.
  let ahead = load.state
  let finishing: Promise<Load> | undefined
  try {
    const { start, line } = load.state
    for await (const range of ranges(sourceOf(scope, load), header, { start, line })) {
      const rows = readRows(range, header.dialect, header.names.length)
      const read = await readRange(scope, load.id, ahead, { range, rows, header, conditionals, types, hasSubtypes })
      load = (await finishing) ?? load
      finishing = finish(scope, load, read)
      finishing.catch(() => undefined)
      ahead = read.state
      if (!(await mayGoOn())) return await finishing
    }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    load = (await finishing) ?? load
    const issues = new Issues()
    issues.error(error.line, null, 'INVALID_DATA', error.message)
    return stop(scope, load, { ...load.state, isReadable: false }, issues, load.state.chunks + 1, 'PARSING_CSV')
  }
  return endOfFile(scope, (await finishing) ?? load)
}

interface RangeWork {
  range: RecordRange
  rows: Rows
  header: HeaderState
  conditionals: ConditionalColumn[]
  types: TypeSource
  /** Whether a type below the root defines anything. */
  hasSubtypes: boolean
}

interface ReadRange {
  state: LoadState
  rows: number
  drafts: Draft[]
  issues: Issues
}

async function readRange(scope: LoadScope, loadId: string, state: LoadState, work: RangeWork): Promise<ReadRange> {
  const { range, rows, types } = work
  const area = state.failureArea === 'NONE' && rows.faults.length > 0 ? 'PARSING_CSV' : state.failureArea
  const { reading, issues } = await read(scope, state, work)
  await resolveReferences(scope, reading, issues)
  reading.claim()
  reading.claims.settle(await makeClaims(scope.db, loadId, reading.claims.all))
  const drafts = reading.decide()
  const places = await checkAssortments(scope, state, reading, issues)
  await checkDrafts(drafts, state.configuration, types, issues, (target, keys) =>
    findByKey(scope.db, scope.org.id, target, keys),
  )
  const next = withIssues(
    {
      ...state,
      start: range.start + range.bytes.length,
      line: range.nextLine,
      rows: state.rows + rows.cells.length,
      chunks: state.chunks + 1,
      said: issues.said,
      typePathSeen: reading.typePathSeen ?? null,
      stepWarnings: state.stepWarnings.map((sum, at) => sum + (reading.pipeline.warnings[at] ?? 0)),
      inherits: state.inherits || reading.inherits,
      failureArea: area,
      ...places,
    },
    issues,
    state.chunks + 1,
  )
  return { state: next, rows: rows.cells.length, drafts, issues }
}

async function finish(scope: LoadScope, load: Load, { state, rows, drafts, issues }: ReadRange): Promise<Load> {
  const staging = stagingOf(scope, load)
  const { chunks } = load.state
  await Promise.all([
    issues.list.length > 0 ? staging.writeIssues(chunks + 1, issues.list) : undefined,
    state.errors === 0 ? staging.writeChunk(chunks, { rows, drafts }) : undefined,
  ])
  return advance(scope, load, state)
}

/**
 * A row that names no type path is of the type that its entity has already, else its family. Where that is not the root,
 * the columns may mean something else, and the chunk is read again.
 */
async function read(scope: LoadScope, state: LoadState, { rows, header, conditionals, types, hasSubtypes }: RangeWork) {
  const begin = () => {
    const issues = new Issues(state.said)
    for (const fault of rows.faults) issues.error(fault.line, null, 'INVALID_DATA', fault.message)
    return { issues, reading: readingFor(state, header, conditionals, types, issues) }
  }
  const first = begin()
  first.reading.read(rows)
  const untyped = hasSubtypes ? first.reading.untyped : []
  const root = targetsOf(state.configuration)[0]
  if (untyped.length === 0 || root === undefined) return first
  const keys = [...new Set(untyped.flatMap(row => row.keys))]
  const stored = await typePathsOf(scope.db, scope.org.id, root, keys)
  if (stored.size === 0) return first
  const byLine = new Map(
    untyped.map(({ line, keys: own }) => [line, own.map(key => stored.get(key)).find(path => path !== undefined)]),
  )
  const second = begin()
  second.reading.read(rows, line => byLine.get(line))
  return second
}

/** Puts ids in the place of what the cells name. */
async function resolveReferences(scope: LoadScope, reading: Reading, issues: Issues): Promise<void> {
  if (reading.references.length === 0) return
  const names = new Set(reading.references.flatMap(({ properties, slug }) => properties[slug] as string | string[]))
  const found = await findReferenced(scope.db, scope.org.id, [...names], KIND_NAMES)
  for (const { properties, slug, line, header } of reading.references) {
    const value = properties[slug]
    const ids = [value].flat().map(name => {
      const candidates = [...(found.get(String(name)) ?? [])]
      if (candidates.length === 1) return candidates[0]
      const message = candidates.length === 0 ? 'There is no entity' : 'There are several entities'
      issues.error(line, header, 'INVALID_DATA', `${message} with the id or federatedId ${JSON.stringify(name)}.`)
      return undefined
    })
    properties[slug] = Array.isArray(value) ? ids : ids[0]
  }
}

interface Places {
  assortments: string[]
  projectId: string | null
}

/** Assortments that rows name themselves must exist, and lead to one project: the fourth way of resolution. */
async function checkAssortments(scope: LoadScope, state: LoadState, reading: Reading, issues: Issues): Promise<Places> {
  const { configuration, targets } = state
  const known = new Set([...state.assortments, ...targets.map(([, id]) => id)])
  const named = new Map(reading.assortmentIds)
  const first = reading.firstAssortmentId
  const isLast = configuration.assortmentSplit && needsProject(configuration) && state.projectId === null
  if (isLast && first !== undefined && named.size === 0) named.set(first, state.line)
  const unknown = [...named].filter(([id]) => !known.has(id))
  const found =
    unknown.length > 0 ? await findAssortments(scope.db, scope.org.id, { ids: unknown.map(([id]) => id) }) : []
  let { projectId } = state
  for (const [id, line] of unknown) {
    const row = found.find(one => one.id === id)
    if (!row) issues.error(line, 'assortmentId', 'INVALID_DATA', `There is no assortment ${JSON.stringify(id)}.`)
    else if (configuration.workspaceIdentifier !== undefined) continue
    else if (projectId === null) projectId = row.projectId
    else if (row.projectId !== null && row.projectId !== projectId) {
      issues.error(line, 'assortmentId', 'INVALID_DATA', 'The rows lead to assortments of several projects.')
    }
  }
  if (needsProject(configuration) && projectId === null) {
    issues.error(
      state.line,
      'assortmentId',
      'CONFIG',
      'Neither the configuration nor the first row leads to a project.',
    )
  }
  const assortments = [...new Set([...state.assortments, ...reading.assortmentIds.keys()])]
  if (assortments.length > LOAD_MAX_ASSORTMENTS) {
    issues.error(
      state.line,
      'assortmentId',
      'INVALID_DATA',
      `A load can fill at most ${LOAD_MAX_ASSORTMENTS} assortments.`,
    )
  }
  return { assortments: assortments.slice(0, LOAD_MAX_ASSORTMENTS), projectId }
}

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
  const served = new Set(state.assortments)
  const replaces = state.configuration.loadType.includes('ASSORTMENT') && !isPartial(state.configuration)
  for (const [value, id] of replaces ? state.targets : []) {
    if (id === null || served.has(id)) continue
    const message = `No row has the value ${JSON.stringify(value)}; its assortment is left as it is.`
    issues.warn(
      state.header?.line ?? 1,
      state.configuration.assortmentSplit?.fieldToSplitOn ?? null,
      'VALIDATION_ERROR',
      message,
    )
  }
  if (issues.list.length > 0) await stagingOf(scope, load).writeIssues(chunk, issues.list)
  return advance(scope, load, { ...withIssues(state, issues, chunk), phase: 'recalling' })
}
