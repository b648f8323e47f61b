// An export of any list (N51, N75): streamed a page at a time, so that memory does not grow with it. Each page is read when the one
// before is on its way; an entity that changes meanwhile is there as it was when its page was read. Where it fails in the
// middle, its last line says so.

import type { Context } from '../../platform/context.ts'
import { type Entity, timeText } from '../../platform/db/row.ts'
import { invalid } from '../../platform/errors.ts'
import { brokenRow, writeHeader, writeRow } from '../../platform/formats/csv-cell.ts'
import { BROKEN_LINE, withLast } from '../../platform/http/streamed.ts'
import type { Kind } from '../../platform/kind.ts'
import { EXPORT_MAX_COLUMNS, EXPORT_PAGE_ENTITIES } from '../../platform/limits.ts'
import { ownValue } from '../../platform/own-value.ts'
import { type ListReader, listReader } from '../entities/list-reader.ts'
import { ownProperties, typeSource } from '../loads/rows/effective-properties.ts'
import { Matcher } from '../loads/rows/property-matcher.ts'
import type { LoadTarget } from '../loads/targets.ts'
import { freshTypes } from '../types/service.ts'
import { shownText, UNCHANGED } from './cell-text.ts'
import { allNames, type ExportColumns, exportColumns } from './columns.ts'
import type { ExportQuery } from './contract.ts'
import { loadTargetFor, refuseKeyless, refuseKeylessFamilies, refuseMisread } from './refusals.ts'
import { idsIn, isReference, type KeyOf, loadedRows } from './rows.ts'
import { keysOf, propertiesFound } from './store.ts'

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

/** Every cell shows the value that GET shows (N75). */
export async function exportCsv(context: Context, kind: Kind, query: ExportQuery): Promise<AsyncGenerator<string>> {
  const read = await listReader(context, kind, query.criteria ?? {}, askedOf(query))
  const names = await shownColumns(context, kind, askedFor(query))
  return withLast(shownTexts(pages(read), names), brokenRow(names.length))
}

async function shownColumns(context: Context, kind: Kind, asked: readonly string[] | undefined): Promise<string[]> {
  if (asked) return bounded([...new Set(['federatedId', ...asked])])
  const defined = [...(await freshTypes(context)).definersBelow(kind.name).keys()]
  return bounded(allNames(kind, defined, await propertiesFound(context.db, context.org.id, kind.name, pause)))
}

async function* shownTexts(all: AsyncGenerator<Entity[]>, names: readonly string[]): AsyncGenerator<string> {
  yield writeHeader(names, ',')
  for await (const page of all) {
    yield page
      .map(entity =>
        writeRow(
          names.map(name => shownText(ownValue(entity, name))),
          ',',
        ),
      )
      .join('')
  }
}

/** The same as a load reads it: loading it again under its configuration changes nothing. */
export async function exportForLoad(context: Context, kind: Kind, query: ExportQuery): Promise<AsyncGenerator<string>> {
  const described = await describe(context, kind, query)
  const read = await listReader(context, kind, query.criteria ?? {}, askedOf(query))
  return withLast(loadTexts(context, pages(read), described), brokenRow(described.columns.names.length))
}

export async function exportConfiguration(context: Context, kind: Kind, query: ExportQuery) {
  const { target, columns } = await describe(context, kind, query)
  return {
    name: `Export of ${kind.path}, ${timeText(context.now).slice(0, 16)}`,
    loadType: [target.loadType],
    unchangedMark: UNCHANGED,
    ...(Object.keys(columns.types).length && { columnTypes: columns.types }),
  }
}

interface Described {
  target: LoadTarget
  columns: ExportColumns
  typesOf: ReturnType<typeof typeSource>
  references: string[]
}

/** What a load of the file needs to know; refused where no load could read it back. */
async function describe(context: Context, kind: Kind, query: ExportQuery): Promise<Described> {
  const target = loadTargetFor(kind, query)
  await refuseKeyless(context, kind, query)
  if (target.hasFamilies) await refuseKeylessFamilies(context, kind, query)
  const own = ownProperties(await freshTypes(context), [target])
  const properties = Object.values(own).flat()
  const defined = new Map<string, { isArchived: boolean }>()
  for (const { slug, archived } of properties) {
    defined.set(slug, { isArchived: Boolean(archived) && (defined.get(slug)?.isArchived ?? true) })
  }
  const found = await propertiesFound(context.db, context.org.id, kind.name, pause)
  const typesOf = typeSource(own)
  const typePath = query.criteria?.typePath
  const inRows = typeof typePath === 'string' ? typesOf(typePath) : properties
  const matcher = new Matcher([{ target, properties: inRows }])
  const isTaken = (name: string) => matcher.match(name).length > 0
  const columns = exportColumns({ target, defined, isTaken, found, asked: askedFor(query) })
  refuseMisread(columns)
  bounded(columns.names)
  const references = properties.filter(isReference).map(({ slug }) => slug)
  return { target, columns, typesOf, references: [...new Set(references)] }
}

function bounded(names: string[]): string[] {
  if (names.length <= EXPORT_MAX_COLUMNS) return names
  const message = `There are ${names.length} properties. Name those that you need, at most ${EXPORT_MAX_COLUMNS}.`
  throw invalid([{ path: '/properties', message }])
}

function askedFor({ properties }: ExportQuery): string[] | undefined {
  const names = properties?.split(',').map(name => name.trim())
  if (names?.includes('')) throw invalid([{ path: '/properties', message: 'Expected names, separated by commas.' }])
  return names
}

async function* loadTexts(
  { db, org }: Context,
  all: AsyncGenerator<Entity[]>,
  { target, columns, typesOf, references }: Described,
): AsyncGenerator<string> {
  yield writeHeader(columns.names, ',')
  let keys = new Map<string, ReturnType<KeyOf>>()
  const row = loadedRows(target, columns, typesOf, id => keys.get(id))
  for await (const page of all) {
    const families = page.flatMap(({ itemFamilyId }) => (typeof itemFamilyId === 'string' ? [itemFamilyId] : []))
    const referred = page.flatMap(entity => references.flatMap(slug => idsIn(ownValue(entity, slug))))
    keys = await keysOf(db, org.id, [...new Set([...families, ...referred])])
    yield page.map(entity => writeRow(row(entity), ',')).join('')
  }
}
