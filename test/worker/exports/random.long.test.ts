// Exports that come back (N51): loading an export again changes nothing, and loading it with one cell edited changes that cell. Random
// loads of all types, and values by hand that a cell can hardly hold. VITE_EXPORTS and VITE_SEED ask for more, or for one again.
import { describe, expect, it } from 'vitest'
import { fetchWorker, type Json, queryText, type TestOrg } from '../api.ts'
import { randomFile, randomTypes } from '../loads/differential/generate.ts'
import { Organization } from '../loads/differential/organization.ts'
import { Random } from '../loads/differential/random.ts'
import { all, holdLoads, type Load, SMALL, upload, worked } from '../loads/loading.ts'
import { stateOf } from '../reverts/reverting.ts'

const settings = (import.meta as ImportMeta & { env?: Record<string, string | undefined> }).env
const SEED = Number(settings?.VITE_SEED ?? 1)
const ORGANIZATIONS = Number(settings?.VITE_EXPORTS ?? 5)

const VALUES: unknown[] = [
  'plain',
  '',
  ' spaces ',
  '=1+1',
  "'=quoted",
  '-5',
  '+x',
  '@mail',
  'with "quotes", commas; and\nlines',
  'a|b',
  'true',
  'FALSE',
  '12.50',
  '(unchanged)',
  'naïve 漢字 🧵',
  '\u00a0wide\u3000',
  'a\0b',
  0,
  -1.5,
  1e21,
  1.5e-9,
  123456789.123,
  true,
  false,
  [],
  ['a', 'b'],
  ['a|b', ' '],
  [1, null, { x: 1 }],
  { nested: { b: 1, a: [true] } },
]

/** Entities that nobody has loaded, with whatever the API takes. */
async function makeByHand(org: TestOrg, random: Random): Promise<void> {
  const odd = () =>
    Object.fromEntries(
      ['free1', 'free2', 'Free 3', 'free,4', 'toString'].flatMap(name =>
        random.chance(0.6) ? [[name, random.pick(VALUES)]] : [],
      ),
    )
  for (let at = 0; at < 6; at++) {
    const name = random.pick([null, 'Named', '=name', 'a "b"'])
    await org.make('/items', { federatedId: `H${at}`, name, ...odd() })
    const hex = random.pick([null, '#a1b2c3', 'A1B2C3', '#A1B2C3'])
    const red = random.pick([null, 1])
    await org.make('/colors', { federatedId: `C-${at}`, name, hex, red, ...odd() })
    const sizes = random.pick([null, [], ['S', 'M'], ['a|b'], [' S'], ['=1']])
    await org.make('/size-range-templates', { federatedId: `R-${at}`, name, sizes, ...odd() })
    await org.make('/custom-entities', { typePath: 'custom-entity:odd', federatedId: `E-${at}`, name, ...odd() })
  }
}

interface Exported {
  path: string
  query: Json
  csv: string
  configuration: Json
}

async function exported(org: TestOrg, path: string, query: Json = {}): Promise<Exported> {
  const response = await fetchWorker(`/api${path}/export${queryText({ format: 'csv-load', ...query })}`, {
    headers: org.headers,
  })
  expect(response.status).toBe(200)
  const csv = await response.text()
  const { body, status } = await org.get(`${path}/export`, { ...query, format: 'configuration' })
  expect(status, JSON.stringify(body)).toBe(200)
  return { path, query, csv, configuration: body }
}

async function loadBack(org: TestOrg, { csv, configuration }: Exported): Promise<Load> {
  const fileLocation = await upload(org, csv)
  const started = await org.post<Load>('/loader-processes', { ...configuration, fileLocation })
  expect(started.status, JSON.stringify(started.body)).toBe(202)
  return worked(org, started.body.id, SMALL)
}

const KINDS: [string, Json][] = [
  ['/items', {}],
  ['/colors', {}],
  ['/size-range-templates', {}],
  ['/custom-entities', { criteria: { typePath: 'custom-entity:odd' } }],
  ['/custom-entities', { criteria: { typePath: 'custom-entity:maker' } }],
  ['/items', { order: { orderField: 'name', order: 'desc' } }],
]

/** The rows of a CSV text as cells, quotes taken off. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.filter(row => row.length > 0)
}

const textOf = (rows: string[][]) =>
  rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')

/** Another value in one cell of a column that any text fits; and where it stands in the entities. */
function edited({ csv, configuration }: Exported, random: Random) {
  const rows = cellsOf(csv)
  const types = (configuration.columnTypes ?? {}) as Record<string, string>
  // Those that no type defines: a choice or a number takes no such text.
  const isFree = (name: string) => /^free/i.test(name) && (types[name] === 'string' || types[name] === 'json')
  const [header = [], ...rest] = rows
  const option = header.indexOf('itemOptionFederatedId')
  const families = rest.filter(cells => option >= 0 && cells[option] === '')
  const columns = [...Object.keys(types).filter(isFree), ...(families.length > 0 ? ['name'] : [])]
  if (columns.length === 0 || rest.length === 0) return undefined
  const column = random.pick(columns)
  // An option's row leaves the name to that of its family, which may come after it.
  const row = random.pick(column === 'name' ? families : rest)
  row[header.indexOf(column)] = types[column] === 'json' ? '"edited"' : 'edited'
  const key = row[header.indexOf('itemOptionFederatedId')] || row[header.indexOf('itemFamilyFederatedId')]
  return { csv: textOf(rows), column, key: key ?? row[header.indexOf('federatedId')] }
}

describe('random exports (N51)', () => {
  it.each(Array.from({ length: ORGANIZATIONS }, (_, at) => SEED + at))('seed %i come back', async seed => {
    holdLoads()
    const random = new Random(seed * 15_485_863)
    const organization = await Organization.make(randomTypes(random))
    const { org } = organization
    for (let at = 0; at < 3; at++) await organization.load(randomFile(random))
    await makeByHand(org, random)
    for (const [path, query] of KINDS) {
      const before = await stateOf(org)
      const file = await exported(org, path, query)
      const records = await organization.records()
      const again = await loadBack(org, file)
      expect(again, file.csv).toMatchObject({ status: 'completed', errorCount: 0, warningCount: 0 })
      expect(await stateOf(org), file.csv).toEqual(before)
      expect(await organization.records()).toBe(records)
      const edit = edited(file, random)
      if (!edit) continue
      const changed = await loadBack(org, { ...file, csv: edit.csv })
      expect(changed, edit.csv).toMatchObject({ status: 'completed', errorCount: 0 })
      const [entity] = await all(org, path, { ...(query.criteria as Json), federatedId: edit.key })
      const place = `${path} ${entity?.id}`
      expect(await stateOf(org)).toEqual({ ...before, [place]: { ...before[place], [edit.column]: 'edited' } })
    }
  })
})
