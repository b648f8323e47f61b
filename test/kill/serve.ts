// The service in a process of its own, to be killed. It begins when it is told what to serve; state outlives it.
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare'

export interface Served {
  options: object
  state: string
  port: number
  /** Statements that make the database, where there is none yet. */
  migrations: string[]
}

async function serve({ options, state, port, migrations }: Served): Promise<void> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.ERROR),
      host: '127.0.0.1',
      port,
      resourcePersistencePath: state,
      workers: [options as V4WorkerOptions],
    }),
  )
  await miniflare.ready
  if (migrations.length > 0) {
    for (const binding of Object.keys((options as V4WorkerOptions).d1Databases ?? {})) {
      const db = await miniflare.getD1Database(binding)
      for (const statement of migrations) await db.prepare(statement).run()
    }
  }
  process.send?.('ready')
}

process.once('message', served => void serve(served as Served))
// Who started it is gone.
process.once('disconnect', () => process.exit())
