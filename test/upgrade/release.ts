// The Worker of a release in a runtime of its own: that of a tree, or one that was kept.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

export const KEYS = {
  OPERATOR_KEY: 'operator-key-of-the-upgrade-0123456789',
  SECRETS_KEY: 'secrets-key-of-the-upgrade-0123456789',
}

export interface Built {
  script: string
  /** Its wrangler.toml. */
  configuration: string
}

export async function buildWorker(folder: string, minify = false): Promise<Built> {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, 'src/index.ts')],
    write: false,
    minify,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  })
  return { script: outputFiles[0]?.text ?? '', configuration: path.join(folder, 'wrangler.toml') }
}

/** The release before this one, as it was. Only the last one is kept so; record.ts makes it. */
export function previousWorker(): Built {
  const kept = readdirSync(import.meta.dirname).find(file => file.endsWith('.worker.br'))
  if (!kept) throw new Error('no release is kept')
  const base = path.join(import.meta.dirname, kept.replace('.worker.br', ''))
  return {
    script: brotliDecompressSync(readFileSync(`${base}.worker.br`)).toString('utf8'),
    configuration: `${base}.toml`,
  }
}

export type Call = <Answer>(
  method: string,
  where: string,
  headers: Record<string, string>,
  body?: unknown,
) => Promise<Answer>

export interface Running {
  db: Awaited<ReturnType<Miniflare['getD1Database']>>
  call: Call
  end(): Promise<void>
}

/** With the state of the folder, which outlives it. */
export async function run({ script, configuration }: Built, state: string): Promise<Running> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(configuration)
  const { assets: _, ...options } = workerOptions as unknown as V4WorkerOptions
  const worker = {
    ...options,
    name: 'service',
    bindings: { ENVIRONMENT: 'local', ...KEYS },
    serviceBindings: { ASSETS: () => new Response() },
    modules: [{ type: 'ESModule', path: path.join(state, 'index.js'), contents: script }],
    modulesRoot: state,
    rootPath: state,
  } as unknown as V4WorkerOptions
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.ERROR),
      host: '127.0.0.1',
      port: 0,
      resourcePersistencePath: state,
      workers: [worker],
    }),
  )
  return {
    db: await miniflare.getD1Database('DB'),
    end: () => miniflare.dispose(),
    async call(method, where, headers, body) {
      const content = typeof body === 'string' ? { body } : body !== undefined && { body: JSON.stringify(body) }
      const type = typeof body === 'string' ? 'text/csv' : 'application/json'
      const init = { method, headers: { ...headers, 'Content-Type': type }, ...content }
      const answer = await miniflare.dispatchFetch(`http://localhost/api${where}`, init)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${text}`)
      return JSON.parse(text || 'null')
    },
  }
}

/** The name of the last one. */
export async function migrate({ db }: Running, folder: string): Promise<string> {
  const files = readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .sort()
  for (const file of files) {
    const statements = readFileSync(path.join(folder, file), 'utf8').split('--> statement-breakpoint')
    await db.batch(statements.map(statement => db.prepare(statement)))
  }
  return files.at(-1)?.replace('.sql', '') ?? ''
}

export const pause = () => setTimeout(200)
