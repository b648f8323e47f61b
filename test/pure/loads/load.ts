// Runs the pure part of a load over a CSV text, in chunks, with a store of claims that keeps what the real one keeps.
import type { Issue, LoaderConfiguration } from '../../../src/features/loads/contract.ts'
import { findHeader } from '../../../src/features/loads/csv/dialect.ts'
import { readHeader, readRows } from '../../../src/features/loads/csv/rows.ts'
import { Splitter } from '../../../src/features/loads/csv/splitter.ts'
import { splitTable } from '../../../src/features/loads/drafts/assortment-split.ts'
import { Reading } from '../../../src/features/loads/drafts/chunk-reader.ts'
import { Claims } from '../../../src/features/loads/drafts/claims.ts'
import { type Draft, draftKey } from '../../../src/features/loads/drafts/draft.ts'
import { Issues } from '../../../src/features/loads/issues.ts'
import { compileColumns } from '../../../src/features/loads/rows/conditional-columns.ts'
import { typeSource } from '../../../src/features/loads/rows/effective-properties.ts'
import { adviseOnHeader } from '../../../src/features/loads/rows/header-advice.ts'
import type { Property } from '../../../src/features/loads/rows/property.ts'
import { targetsOf } from '../../../src/features/loads/targets.ts'

export type Types = Record<string, (Partial<Property> & { slug: string })[]>

export interface Loaded {
  /** With what the families' own rows in later chunks add to them. */
  drafts: Draft[]
  issues: Issue[]
  claims: Claims
  /** Warnings of each of the six steps, of the last chunk. */
  stepWarnings: number[]
}

export function property(given: Partial<Property> & { slug: string }): Property {
  const base = {
    label: given.slug,
    propertyType: 'string',
    options: null,
    level: 'all',
    archived: false,
    required: false,
  } as const
  return { ...base, ...given }
}

export function load(
  csv: string | Uint8Array,
  given: Partial<LoaderConfiguration> = {},
  types: Types = {},
  rowsPerChunk = 1000,
): Loaded {
  const configuration: LoaderConfiguration = { loadType: ['ITEM'], fileLocation: 'file', ...given }
  const bytes = typeof csv === 'string' ? new TextEncoder().encode(csv) : csv
  const place = findHeader(bytes, true)
  if (!place) throw new Error('no header')
  const header = readHeader(bytes, place)
  const { start, line } = { start: place.end, line: place.nextLine }
  const limits = { targetBytes: 1 << 20, maxRecordBytes: 1 << 20, maxRecords: rowsPerChunk }
  const splitter = new Splitter({ dialect: place.dialect, start, line, ...limits })
  const store = new Claims()
  const loaded: Loaded = { drafts: [], issues: [], claims: store, stepWarnings: [] }
  const faults = new Issues()
  for (const { line, column, message } of header.faults) faults.error(line, column ?? null, 'HEADER_MISMATCH', message)
  loaded.issues.push(...faults.list)
  const targets = new Map(
    configuration.assortmentSplit?.values.map(({ value, assortmentId }) => [value, assortmentId ?? null]),
  )
  const source = typeSource(Object.fromEntries(Object.entries(types).map(([path, own]) => [path, own.map(property)])))
  let warnedOnce: string[] = []
  let typePathSeen: string | undefined
  let isFirst = true
  for (const range of [...splitter.push(bytes.subarray(place.end)), ...splitter.finish()]) {
    const issues = new Issues(warnedOnce)
    const reading = new Reading({
      configuration,
      header: { names: header.names, line: place.line },
      conditionals: compileColumns(configuration.conditionalColumns ?? [], new Set(header.names)),
      types: source,
      split: configuration.loadType.includes('ASSORTMENT') ? splitTable(configuration, targets) : undefined,
      issues,
      typePathSeen,
    })
    if (isFirst) {
      const properties = Object.values(types).flatMap(own => own.map(property))
      reading.checkHeader()
      adviseOnHeader(reading.pipeline.names, place.line, configuration, targetsOf(configuration), properties, issues)
    }
    isFirst = false
    const rows = readRows(range, place.dialect, header.names)
    for (const { line, message } of rows.faults) issues.error(line, null, 'INVALID_DATA', message)
    reading.read(rows)
    reading.claim()
    for (const claim of reading.claims.all) store.claim(claim)
    reading.claims.settle(reading.claims.all.flatMap(({ space, key }) => store.held(space, key) ?? []))
    loaded.drafts.push(...reading.decide())
    for (const { key, shared } of reading.late) {
      Object.assign(loaded.drafts.find(draft => draftKey(draft) === key)?.set ?? {}, shared)
    }
    loaded.issues.push(...issues.list)
    loaded.stepWarnings = [...reading.pipeline.warnings]
    warnedOnce = issues.warnedOnce
    typePathSeen = reading.typePathSeen
  }
  return loaded
}

export function entity(loaded: Loaded, key: string, target = 'item'): Record<string, unknown> | undefined {
  const drafts = loaded.drafts.filter(draft => draft.key === key && draft.target.name === target)
  if (drafts.length === 0) return undefined
  return Object.assign({}, ...drafts.map(draft => draft.make), ...drafts.map(draft => draft.set))
}

/** The header of items. */
export const HEAD = 'itemFamilyFederatedId,itemOptionFederatedId'

export const brief = ({ issues }: Loaded) =>
  issues.map(({ rowNumber, columnName, issueType, severity }) => `${severity} ${rowNumber} ${columnName} ${issueType}`)
