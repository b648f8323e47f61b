// Records a small database of a release and what that release answered about it, to be kept for ever, and its Worker, until the next
// release is recorded:
//
//   npx node test/upgrade/record.ts 0.2.0            # this tree
//   npx node test/upgrade/record.ts 0.1.0 FOLDER     # another one, with its node_modules
//
// worker/upgrade.test.ts brings each database to the schema of today; deploy/way-back.test.ts runs the Worker on it.
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { fill, READS } from './calls.ts'
import { buildWorker, KEYS, migrate, pause, run } from './release.ts'

const today = path.resolve(import.meta.dirname, '../..')
const [release = '', folder = today] = process.argv.slice(2)
const state = mkdtempSync(path.join(tmpdir(), 'selvedge-upgrade-'))
const built = await buildWorker(folder, true)
const running = await run(built, state)
const schema = await migrate(running, path.join(folder, 'drizzle'))
const { call, db } = running

const credentials = await fill(call, KEYS.OPERATOR_KEY, pause)
const answers: Record<string, unknown> = {}
for (const where of READS) answers[where] = await call('GET', where, credentials)

const tables = await db
  .prepare(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite_*'`,
  )
  .all<{ name: string }>()
const lines: string[] = []
// What is found by words is made anew from the entities.
for (const { name } of tables.results.filter(table => !table.name.startsWith('search_'))) {
  const { results } = await db.prepare(`SELECT * FROM ${name}`).all()
  const columns = (await db.prepare(`SELECT name FROM pragma_table_info('${name}')`).all<{ name: string }>()).results
  for (const row of results) {
    const known = columns.filter(column => row[column.name] !== null)
    const values = known.map(column => literal(row[column.name]))
    lines.push(`INSERT INTO ${name} (${known.map(column => column.name).join(', ')}) VALUES (${values.join(', ')});`)
  }
}

/** Newlines are written out, so that a row stays a line. */
function literal(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return `'${String(value).replaceAll("'", "''").replaceAll('\n', "' || char(10) || '")}'`
}

const base = path.join(import.meta.dirname, release)
writeFileSync(`${base}.sql`, `-- ${release}, schema ${schema}. Made by record.ts; never edited.\n${lines.join('\n')}\n`)
writeFileSync(`${base}.json`, `${JSON.stringify({ release, schema, keys: KEYS, credentials, answers }, null, 2)}\n`)
for (const file of readdirSync(import.meta.dirname)) {
  if (/\.(worker\.br|toml)$/.test(file)) rmSync(path.join(import.meta.dirname, file))
}
writeFileSync(`${base}.worker.br`, brotliCompressSync(built.script))
copyFileSync(built.configuration, `${base}.toml`)
console.log(`${release}: ${lines.length} rows, ${READS.length} answers, schema ${schema}`)
await running.end()
rmSync(state, { recursive: true, force: true })
