// Workers in workerd without wrangler's development proxy: the service as it is deployed, and floors beside it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { buildBundle } from '../../src/scripts/bundle.ts'
import { heapsOf } from './inspector.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const OPERATOR_KEY = 'operator-key-of-the-bench-0123456789'
export const workspace = mkdtempSync(path.join(tmpdir(), 'selvedge-bench-'))

process.on('exit', () => rmSync(workspace, { recursive: true, force: true }))

export interface Runtime {
  url: string
  /** Past the Worker, straight to its database. */
  run(sql: string, ...params: (string | number)[]): Promise<void>
  /** Resident memory of its workerd, in bytes. */
  memory(): number
  /** What its isolates hold after their garbage is collected, in bytes: that of its Worker, and all of them. */
  heaps(): Promise<{ own: number; all: number }>
  stop(): Promise<void>
}

/** The bundle that a deploy would upload. */
export function buildService(): string {
  return buildBundle(path.join(workspace, 'service'))
}

/** One of the Workers that stand beside the service here. */
export async function buildBeside(name: 'floor-worker' | 'counting-worker' | 'distance-worker'): Promise<string> {
  const outfile = path.join(workspace, `${name}.js`)
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['cloudflare:*', 'node:*'],
  })
  return outfile
}

let started = 0

interface Conditions {
  /** Of each isolate. */
  heapMb?: number
  /** Databases beside those of `wrangler.toml`, by the names of their bindings. */
  databases?: readonly string[]
}

/** A fresh one each time, with databases that have their tables and nothing in them. */
export async function start(
  script: string,
  exposes: 'service' | 'floor',
  { heapMb, databases = [] }: Conditions = {},
): Promise<Runtime> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = heapMb === undefined ? '' : `--max-heap-size=${heapMb}`
  const name = `${exposes}-${++started}`
  const { workerOptions } = unstable_getMiniflareWorkerOptions(path.join(root, 'wrangler.toml'))
  const bindings = { ENVIRONMENT: 'local', OPERATOR_KEY, SECRETS_KEY: 'secrets-key-of-the-bench-0123456789' }
  const { durableObjects, queueConsumers, assets: _, ...shared } = workerOptions as unknown as V4WorkerOptions
  const d1Databases = {
    ...(shared.d1Databases as Record<string, string>),
    ...Object.fromEntries(databases.map(binding => [binding, binding])),
  }
  const own =
    exposes === 'service'
      ? { durableObjects, queueConsumers, serviceBindings: { ASSETS: { disk: { path: root, writable: false } } } }
      : {}
  const options = {
    ...shared,
    ...own,
    d1Databases,
    name,
    bindings,
    modules: [{ type: 'ESModule', path: script, contents: readFileSync(script, 'utf8') }],
    modulesRoot: path.dirname(script),
    rootPath: path.dirname(script),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0, proxy: false }],
  } as unknown as V4WorkerOptions
  const state = path.join(workspace, `state-${name}`)
  const before = new Set(workerds())
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.ERROR),
      host: '127.0.0.1',
      port: 0,
      inspectorPort: 0,
      d1Persist: path.join(state, 'd1'),
      r2Persist: path.join(state, 'r2'),
      durableObjectsPersist: path.join(state, 'do'),
      workers: [options],
    }),
  )
  await miniflare.ready
  const url = (await miniflare.unsafeGetDirectURL()).origin
  const pid = workerds().find(candidate => !before.has(candidate))
  const database = await miniflare.getD1Database('DB')
  for (const binding of Object.keys(d1Databases)) await migrate(await miniflare.getD1Database(binding))
  return {
    url,
    run: async (sql, ...params) => {
      await database
        .prepare(sql)
        .bind(...params)
        .run()
    },
    memory: () => residentBytes(pid),
    heaps: async () => {
      const heaps = await heapsOf(await miniflare.getInspectorURL())
      const all = [...heaps.values()].reduce((sum, bytes) => sum + bytes, 0)
      return { own: heaps.get(`core:user:${name}`) ?? Number.NaN, all }
    },
    stop: async () => {
      await miniflare.dispose()
      rmSync(state, { recursive: true, force: true })
    },
  }
}

async function migrate(db: { prepare(sql: string): { run(): Promise<unknown> } }): Promise<void> {
  const files = readdirSync(path.join(root, 'drizzle')).filter(file => file.endsWith('.sql'))
  for (const file of files.sort()) {
    const statements = readFileSync(path.join(root, 'drizzle', file), 'utf8').split('--> statement-breakpoint')
    for (const statement of statements) await db.prepare(statement.trim()).run()
  }
}

/** Process ids of all workerds that this process has started. */
function workerds(): number[] {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  return list
    .split('\n')
    .map(line => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter(match => match?.[2] === String(process.pid) && match[3]?.includes('workerd'))
    .map(match => Number(match?.[1]))
}

function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
}
