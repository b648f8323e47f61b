// An export of any list (N51): streamed a page at a time, so that memory does not grow with it. Each page is read when the one
// before is on its way; an entity that changes meanwhile is there as it was when its page was read. Where it fails in the
// middle, its last line says so.

import type { Context } from '../../../platform/context.ts'
import { type Entity, timeText } from '../../../platform/db/row.ts'
import { Fault, invalid } from '../../../platform/errors.ts'
import { brokenRow, writeHeader, writeRow } from '../../../platform/formats/csv-cell.ts'
import { BROKEN_LINE, withLast } from '../../../platform/http/streamed.ts'
import type { Kind } from '../../../platform/kind.ts'
import { EXPORT_MAX_COLUMNS, EXPORT_PAGE_ENTITIES } from '../../../platform/limits.ts'
import { listed } from '../../../platform/nearest.ts'
import { ownValue } from '../../../platform/own-value.ts'
import { type ListReader, listReader } from '../../entities/list-reader.ts'
import { freshTypes } from '../../types/types.ts'
import { ownProperties, typeSource } from '../rows/effective-properties.ts'
import { Matcher } from '../rows/property-matcher.ts'
import { keysOf, propertiesFound } from '../store/exports.ts'
import { LOAD_TARGETS, type LoadTarget } from '../targets.ts'
import { UNCHANGED } from './cell-text.ts'
import { type ExportColumns, exportColumns } from './columns.ts'
import type { ExportQuery } from './contract.ts'
import { refuseKeyless, refuseKeylessFamilies } from './refusals.ts'
import { type Families, idsIn, isReference, loadedRows, plainRows } from './rows.ts'

/** The load type that writes entities of this type alone. */
const targetOf = ({ name }: Kind): LoadTarget | undefined =>
  LOAD_TARGETS.find(target => target.name === name && target.home === undefined)

const pause = () => scheduler.wait(0)

async function* pages(read: ListReader): AsyncGenerator<Entity[]> {
  for (let upcoming = read(undefined, EXPORT_PAGE_ENTITIES); ; ) {
    const page = await upcoming
    if (!page.next) {
      yield page.entities
      return
    }
    upcoming = read(page.next, EXPORT_PAGE_ENTITIES)
    // A failure is met when the page is asked for.
    upcoming.catch(() => undefined)
    yield page.entities
  }
}

const askedOf = ({ order, q }: ExportQuery) => ({ order, sought: q })

export async function exportLines(context: Context, kind: Kind, query: ExportQuery): Promise<AsyncGenerator<string>> {
  const read = await listReader(context, kind, query.criteria ?? {}, askedOf(query))
  const asked = askedFor(query)
  return withLast(jsonLines(pages(read), asked), BROKEN_LINE)
}

async function* jsonLines(all: AsyncGenerator<Entity[]>, asked: readonly string[] | undefined): AsyncGenerator<string> {
  for await (const page of all) {
    yield page.map(entity => `${JSON.stringify(asked ? picked(entity, asked) : entity)}\n`).join('')
  }
}

const picked = (entity: Entity, names: readonly string[]) =>
  Object.fromEntries([...new Set(['id', ...names])].map(name => [name, ownValue(entity, name) ?? null]))

export async function exportCsv(context: Context, kind: Kind, query: ExportQuery): Promise<AsyncGenerator<string>> {
  const read = await listReader(context, kind, query.criteria ?? {}, askedOf(query))
  const described = await describe(context, kind, query)
  return withLast(csvTexts(context, pages(read), described), brokenRow(described.columns.names.length))
}

interface Described {
  target: LoadTarget | undefined
  columns: ExportColumns
  typesOf: ReturnType<typeof typeSource>
  references: string[]
}

async function describe(context: Context, kind: Kind, query: ExportQuery): Promise<Described> {
  const target = targetOf(kind)
  const types = await freshTypes(context)
  const own = target ? ownProperties(types, [target]) : {}
  const properties = target
    ? Object.values(own).flat()
    : types.below(kind.name).flatMap(path => [...types.definitionsOf(path).values()])
  const defined = new Map<string, { isArchived: boolean }>()
  for (const { slug, archived } of properties) {
    defined.set(slug, { isArchived: Boolean(archived) && (defined.get(slug)?.isArchived ?? true) })
  }
  const found = await propertiesFound(context.db, context.org.id, kind.name, pause)
  const typesOf = typeSource(own)
  const typePath = query.criteria?.typePath
  const inRows = typeof typePath === 'string' ? typesOf(typePath) : Object.values(own).flat()
  const matcher = new Matcher(target ? [{ target, properties: inRows }] : [])
  const isTaken = (name: string) => matcher.match(name).length > 0
  const columns = exportColumns({ kind, target, defined, isTaken, found, asked: askedFor(query) })
  if (columns.names.length > EXPORT_MAX_COLUMNS) {
    const message = `There are ${columns.names.length} properties. Name those that you need, at most ${EXPORT_MAX_COLUMNS}.`
    throw invalid([{ path: '/properties', message }])
  }
  const references = Object.values(own)
    .flat()
    .filter(isReference)
    .map(({ slug }) => slug)
  return { target, columns, typesOf, references: [...new Set(references)] }
}

function askedFor({ properties }: ExportQuery): string[] | undefined {
  const names = properties?.split(',').map(name => name.trim())
  if (names?.includes('')) throw invalid([{ path: '/properties', message: 'Expected names, separated by commas.' }])
  return names
}

async function* csvTexts(
  { db, org }: Context,
  all: AsyncGenerator<Entity[]>,
  { target, columns, typesOf, references }: Described,
): AsyncGenerator<string> {
  yield writeHeader(columns.names, ',')
  const plain = plainRows(columns)
  const there = new Set<string>()
  let families: Families = new Map()
  const loaded =
    target &&
    loadedRows(target, columns, typesOf, { get: (id: string) => families.get(id) } as Families, id => there.has(id))
  for await (const page of all) {
    if (target) {
      const ofFamilies = page.flatMap(({ itemFamilyId }) => (typeof itemFamilyId === 'string' ? [itemFamilyId] : []))
      const referred = page.flatMap(entity => references.flatMap(slug => idsIn(ownValue(entity, slug))))
      const found = await keysOf(db, org.id, [...new Set([...ofFamilies, ...referred])])
      families = found
      there.clear()
      for (const id of found.keys()) there.add(id)
    }
    const row = loaded ?? plain
    yield page.map(entity => writeRow(row(entity), ',')).join('')
  }
}

/** Under which loading the CSV again changes nothing. */
export async function exportConfiguration(context: Context, kind: Kind, query: ExportQuery) {
  const target = targetOf(kind)
  if (!target)
    throw new Fault(
      'conflict',
      `No load writes entities of type ${kind.name} by themselves; CSV and JSON lines can be exported all the same.`,
    )
  const { criteria = {} } = query
  if (target.needsSubtype && (typeof criteria.typePath !== 'string' || criteria.typePath === kind.name)) {
    throw new Fault(
      'conflict',
      `A load has one type only: export with criteria such as {typePath: "${kind.name}:<subtype>"}.`,
    )
  }
  await refuseKeyless(context, kind, query)
  if (target.hasFamilies) await refuseKeylessFamilies(context, kind, query)
  const { types, misread } = (await describe(context, kind, query)).columns
  if (misread.length) {
    throw new Fault(
      'conflict',
      `Loads would not read these columns as the properties that they are: ${listed(misread)}. Name others as \`properties\`, or rename them.`,
    )
  }
  return {
    name: `Export of ${kind.path}, ${timeText(context.now).slice(0, 16)}`,
    loadType: [target.loadType],
    unchangedMark: UNCHANGED,
    ...(Object.keys(types).length && { columnTypes: types }),
  }
}
