// Every release that there was, with data in it, brought to the schema of today: what the API answered then, it answers now. And
// what a migration leaves alone, so that the code of the release before runs on the schema of the next. // N62
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env as workerEnv } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { env } from './api.ts'

interface Recorded {
  release: string
  schema: string
  credentials: Record<string, string>
  /** By path; a list, or one thing. */
  answers: Record<string, Record<string, unknown>>
}

const { MIGRATIONS, RELEASES, ...bindings } = workerEnv as unknown as {
  MIGRATIONS: D1Migration[]
  RELEASES: { sql: string; recorded: Recorded }[]
} & Record<string, D1Database>

const databaseAt = (at: number): D1Database => {
  const database = bindings[`UPGRADE_${at}`]
  if (!database) throw new Error(`no database ${at}`)
  return database
}
const upTo = (schema: string) => MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === `${schema}.sql`) + 1)
const FIRST_RELEASE = '0002_load_claims'

const caller = (db: D1Database, headers: Record<string, string>) => (method: string, where: string, body?: unknown) =>
  app.request(
    `http://localhost/api${where}`,
    {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { ...env, DB: db },
    { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} },
  )

/** Where a page or a poller goes on is a text that only the service reads. */
const withoutKeys = ({ nextPageKey: _, syncKey: __, ...rest }: Record<string, unknown>) => rest

describe('N62 an upgrade', () => {
  it('knows the first release', () => {
    expect(RELEASES.map(({ recorded }) => recorded.release)).toContain('0.1.0')
    expect(upTo(FIRST_RELEASE)).toHaveLength(3)
  })

  it.each(RELEASES.map(({ recorded, sql }, at) => [recorded.release, at, sql, recorded] as const))(
    'from %s keeps every answer, and goes on',
    async (_, at, sql, { schema, credentials, answers }) => {
      const db = databaseAt(at)
      await applyD1Migrations(db, upTo(schema))
      const rows = sql.split('\n').filter(line => line.startsWith('INSERT'))
      expect(rows.length).toBeGreaterThan(30)
      await db.batch(rows.map(row => db.prepare(row)))
      await applyD1Migrations(db, MIGRATIONS)

      const call = caller(db, credentials)
      for (const [where, expected] of Object.entries(answers)) {
        const answer = await call('GET', where)
        expect(answer.status, where).toBe(200)
        expect(withoutKeys(await answer.json()), where).toMatchObject(withoutKeys(expected))
      }
      // A poller of that release goes on where it was.
      const { syncKey } = answers['/change-history?after='] ?? {}
      const news = () => call('GET', `/change-history?after=${encodeURIComponent(String(syncKey))}`)
      expect(await (await news()).json()).toMatchObject({ results: [] })
      const made = await call('POST', '/items', { name: 'After the upgrade', federatedId: 'NEW-1' })
      expect(made.status).toBe(201)
      expect(await (await news()).json()).toMatchObject({ results: [{ changeType: 'create', entityType: 'item' }] })
    },
  )
})

interface Column {
  table: string
  name: string
  type: string
  notnull: number
  dflt_value: string | null
}

const COLUMNS = `SELECT t.name AS "table", c.name, c.type, c."notnull", c.dflt_value FROM pragma_table_list t
  JOIN pragma_table_xinfo(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT GLOB '_cf*' AND t.name NOT GLOB 'sqlite_*'`
const INDEXES = `SELECT tbl_name AS "table", name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`

async function structureOf(db: D1Database) {
  const columns = (await db.prepare(COLUMNS).all<Column>()).results
  const indexes = (await db.prepare(INDEXES).all<{ table: string; name: string; sql: string }>()).results
  return { columns, indexes, tables: new Set(columns.map(({ table }) => table)) }
}

describe('N62 a migration only adds', () => {
  it('so that the code before it finds all that it names, and may write what it wrote', async () => {
    const db = databaseAt(RELEASES.length)
    const first = upTo(FIRST_RELEASE)
    await applyD1Migrations(db, first)
    let before = await structureOf(db)
    for (const [at, { name }] of MIGRATIONS.entries()) {
      if (at < first.length) continue
      await applyD1Migrations(db, MIGRATIONS.slice(0, at + 1))
      const after = await structureOf(db)
      // Tables, columns and indexes stay as they are: statements name all three.
      expect(after.columns, name).toEqual(expect.arrayContaining(before.columns))
      expect(after.indexes, name).toEqual(expect.arrayContaining(before.indexes))
      // Old code does not fill a new column, and knows no new rule of a table that it writes.
      const added = after.columns.filter(
        column =>
          before.tables.has(column.table) &&
          !before.columns.some(each => each.table === column.table && each.name === column.name),
      )
      expect(
        added.filter(column => column.notnull === 1 && column.dflt_value === null),
        name,
      ).toEqual([])
      const rules = after.indexes.filter(
        index =>
          before.tables.has(index.table) &&
          /^CREATE UNIQUE/i.test(index.sql) &&
          !before.indexes.some(each => each.name === index.name) &&
          // What is null is like nothing else.
          !added.some(
            ({ table, name: column, notnull }) =>
              table === index.table && !notnull && index.sql.includes(`\`${column}\``),
          ),
      )
      expect(rules, name).toEqual([])
      before = after
    }
    expect(before.tables.size).toBeGreaterThan(20)
  })
})
