// What was deployed, at an address: the code that was uploaded, in workerd, with the secrets and bindings of the upload and the tables
// of the database behind the stand-in. Or, where a test is about something else, what such a Worker would say of itself.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Account, Binding, Script } from './account.ts'

/** Those that make others, such as the parts of a search index, make them again. */
const TABLES = `SELECT m.sql FROM sqlite_master m LEFT JOIN pragma_table_list t ON t.name = m.name
  WHERE m.sql IS NOT NULL AND m.name NOT LIKE 'sqlite_%' AND coalesce(t.type, '') <> 'shadow'`

export class Deployed {
  /** Whether the code is really run. */
  runs = false
  readonly #account: Account
  readonly #folder: string
  #miniflare: Promise<Miniflare> | undefined
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(error => response.writeHead(500).end(String(error)))
  })

  constructor(account: Account, folder: string) {
    this.#account = account
    this.#folder = folder
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    await (await this.#miniflare)?.dispose()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [script] = [...this.#account.scripts.values()].slice(-1)
    const where = request.url ?? '/'
    if (!script) return void response.writeHead(404).end('no Worker here')
    // Pages never reach the Worker.
    const page = path.join(this.#folder, 'dist/assets', where, 'index.html')
    if (existsSync(page)) return void response.writeHead(200).end(readFileSync(page))
    const { status, type, text } = this.runs ? await this.#run(script, where) : this.#told(script, where)
    response.writeHead(status, { 'Content-Type': type }).end(text)
  }

  #told(script: Script, where: string) {
    const type = 'application/json'
    if (where !== '/health') return { status: where.startsWith('/api') ? 401 : 200, type, text: '{}' }
    const { bindings } = script.versions.at(-1)?.metadata ?? { bindings: [] }
    const environment = bindings.find(({ name }) => name === 'ENVIRONMENT')?.text
    const rows = this.#account.databases.at(-1)?.sqlite.prepare('SELECT name FROM d1_migrations ORDER BY id DESC').all()
    const applied = String(rows?.[0]?.name ?? '').replace('.sql', '')
    const missingBindings = ['DB', 'FILES', 'OPERATOR_KEY'].filter(
      wanted => !bindings.some(({ name }) => name === wanted),
    )
    const schema = { expected: applied, applied }
    const health = { status: 'ok', version: packageJson.version, environment, schema, missingBindings }
    return { status: 200, type, text: JSON.stringify(health) }
  }

  async #run(script: Script, where: string) {
    this.#miniflare ??= this.#started(script)
    const answer = await (await this.#miniflare).dispatchFetch(`http://worker${where}`)
    return { status: answer.status, type: answer.headers.get('Content-Type') ?? '', text: await answer.text() }
  }

  async #started(script: Script): Promise<Miniflare> {
    const version = script.versions.at(-1)
    if (!version) throw new Error('nothing was uploaded')
    const [[file, contents] = ['', '']] = version.modules
    const options = {
      name: 'deployed',
      compatibilityDate: String(version.metadata.compatibility_date),
      compatibilityFlags: version.metadata.compatibility_flags,
      modules: [{ type: 'ESModule', path: path.join(this.#folder, file), contents }],
      modulesRoot: this.#folder,
      rootPath: this.#folder,
      ...bound(version.metadata.bindings, script.secrets),
      serviceBindings: named(version.metadata.bindings, 'assets', () => ({
        disk: { path: path.join(this.#folder, 'dist/assets'), writable: false },
      })),
    } as unknown as V4WorkerOptions
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({ log: new Log(LogLevel.ERROR), host: '127.0.0.1', port: 0, workers: [options] }),
    )
    for (const { name: binding, id } of version.metadata.bindings.filter(({ type }) => type === 'd1')) {
      const database = await miniflare.getD1Database(binding)
      const sqlite = this.#account.databases.find(({ uuid }) => uuid === id)?.sqlite
      // The same tables, made again where workerd looks for them.
      const tables = sqlite?.prepare(TABLES).all() ?? []
      const applied = sqlite?.prepare('SELECT name FROM d1_migrations ORDER BY id').all() ?? []
      await database.batch([
        ...tables.map(({ sql }) => database.prepare(String(sql))),
        ...applied.map(({ name }) =>
          database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(String(name)),
        ),
      ])
    }
    return miniflare
  }
}

const named = (bindings: Binding[], type: string, value: (binding: Binding) => unknown) =>
  Object.fromEntries(bindings.filter(each => each.type === type).map(each => [each.name, value(each)]))

/** The bindings of an upload as Miniflare takes them. */
function bound(bindings: Binding[], secrets: Map<string, string>) {
  return {
    bindings: { ...named(bindings, 'plain_text', ({ text }) => text), ...Object.fromEntries(secrets) },
    d1Databases: named(bindings, 'd1', ({ id }) => id),
    r2Buckets: named(bindings, 'r2_bucket', ({ bucket_name }) => bucket_name),
    queueProducers: named(bindings, 'queue', ({ queue_name }) => queue_name),
    durableObjects: named(bindings, 'durable_object_namespace', ({ class_name }) => ({
      className: class_name,
      useSQLite: true,
    })),
    ratelimits: named(bindings, 'ratelimit', ({ namespace_id, simple }) => ({ namespace_id, simple })),
  }
}
