// The service in a process of its own, to be killed: `node serve.ts SCRIPT STATE PORT`. State outlives it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

const root = path.resolve(import.meta.dirname, '../..')
const [script = '', state = '', port = '0', operatorKey = ''] = process.argv.slice(2)

const { workerOptions } = unstable_getMiniflareWorkerOptions(path.join(root, 'wrangler.toml'))
const { assets: _, ...options } = workerOptions as unknown as V4WorkerOptions
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    log: new Log(LogLevel.ERROR),
    host: '127.0.0.1',
    port: Number(port),
    resourcePersistencePath: state,
    workers: [
      {
        ...options,
        name: 'service',
        bindings: {
          ENVIRONMENT: 'local',
          OPERATOR_KEY: operatorKey,
          SECRETS_KEY: 'secrets-key-of-the-kill-test-01234567',
        },
        serviceBindings: { ASSETS: { disk: { path: root, writable: false } } },
        modules: [{ type: 'ESModule', path: script, contents: readFileSync(script, 'utf8') }],
        modulesRoot: path.dirname(script),
        rootPath: path.dirname(script),
      } as unknown as V4WorkerOptions,
    ],
  }),
)
await miniflare.ready

const db = await miniflare.getD1Database('DB')
const isMigrated = await db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'entities'`).first()
for (const file of isMigrated
  ? []
  : readdirSync(path.join(root, 'drizzle'))
      .filter(name => name.endsWith('.sql'))
      .sort()) {
  const statements = readFileSync(path.join(root, 'drizzle', file), 'utf8').split('--> statement-breakpoint')
  for (const statement of statements) await db.prepare(statement.trim()).run()
}
process.send?.('ready')
