// Records a small database of a release and what that release answered about it, to be kept for ever:
//
//   npx node test/upgrade/record.ts 0.2.0            # this tree
//   npx node test/upgrade/record.ts 0.1.0 FOLDER     # another one, with its node_modules
//   npx node test/upgrade/record.ts 0.1.0 FOLDER on-today    # its code on the schema of this tree; nothing is written
//
// worker/upgrade.test.ts brings each of them to the schema of today.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { fill, READS } from './calls.ts'

const today = path.resolve(import.meta.dirname, '../..')
const [release = '', folder = today, mode] = process.argv.slice(2)
const drizzle = path.join(mode === 'on-today' ? today : folder, 'drizzle')
const KEYS = {
  OPERATOR_KEY: 'operator-key-of-the-upgrade-0123456789',
  SECRETS_KEY: 'secrets-key-of-the-upgrade-0123456789',
}
const out = mkdtempSync(path.join(tmpdir(), 'selvedge-upgrade-'))
const script = path.join(out, 'index.js')
await build({
  entryPoints: [path.join(folder, 'src/index.ts')],
  outfile: script,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
})

const { workerOptions } = unstable_getMiniflareWorkerOptions(path.join(folder, 'wrangler.toml'))
const { assets: _, ...options } = workerOptions as unknown as V4WorkerOptions
const worker = {
  ...options,
  name: 'service',
  bindings: { ENVIRONMENT: 'local', ...KEYS },
  serviceBindings: { ASSETS: () => new Response() },
  modules: [{ type: 'ESModule', path: script, contents: readFileSync(script, 'utf8') }],
  modulesRoot: out,
  rootPath: out,
} as unknown as V4WorkerOptions
const miniflare = new Miniflare(
  convertV4MiniflareOptions({ log: new Log(LogLevel.ERROR), host: '127.0.0.1', port: 0, workers: [worker] }),
)
const db = await miniflare.getD1Database('DB')
const migrations = readdirSync(drizzle)
  .filter(file => file.endsWith('.sql'))
  .sort()
for (const file of migrations) {
  const statements = readFileSync(path.join(drizzle, file), 'utf8').split('--> statement-breakpoint')
  await db.batch(statements.map(statement => db.prepare(statement)))
}

const call = async <Answer>(
  method: string,
  where: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> => {
  const content = typeof body === 'string' ? { body } : body !== undefined && { body: JSON.stringify(body) }
  const type = typeof body === 'string' ? 'text/csv' : 'application/json'
  const init = { method, headers: { ...headers, 'Content-Type': type }, ...content }
  const answer = await miniflare.dispatchFetch(`http://localhost/api${where}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${text}`)
  return JSON.parse(text || 'null')
}

const credentials = await fill(call, KEYS.OPERATOR_KEY, () => setTimeout(200))
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
const schema = migrations.at(-1)?.replace('.sql', '')
if (mode !== 'on-today') {
  writeFileSync(
    `${base}.sql`,
    `-- ${release}, schema ${schema}. Made by record.ts; never edited.\n${lines.join('\n')}\n`,
  )
  writeFileSync(`${base}.json`, `${JSON.stringify({ release, schema, keys: KEYS, credentials, answers }, null, 2)}\n`)
}
console.log(`${release}: ${lines.length} rows, ${READS.length} answers, schema ${schema}`)
await miniflare.dispose()
rmSync(out, { recursive: true, force: true })
