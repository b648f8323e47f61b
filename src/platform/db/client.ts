// The one way to a database. Organizations may be spread over several: ask `databaseFor` for an organization's, and
// `directory` for what is known before the organization is (credentials, slugs).
import { drizzle } from 'drizzle-orm/d1'
import type { Env } from '../../env.ts'
import type { Statement } from './sql.ts'

export type { Statement } from './sql.ts'

/** A statement that does not say what its rows look like. */
type Known<Row> = unknown extends Row ? Record<string, unknown> : Row

/** The results of statements, in their order. */
type Results<S extends readonly unknown[]> = {
  [At in keyof S]: S[At] extends Statement<infer Row> ? D1Result<Known<Row>> : never
}

export class Database {
  /** Round trips so far: Server-Timing shows it. */
  calls = 0
  spentMs = 0
  /** As D1 counts them. */
  rowsRead = 0
  rowsWritten = 0
  readonly #session: D1DatabaseSession

  constructor(session: D1DatabaseSession) {
    this.#session = session
  }

  /** All statements in one transaction and one round trip. */
  async batch<S extends readonly Statement<unknown>[]>(statements: readonly [...S]): Promise<Results<S>> {
    // D1 takes no empty batch.
    if (statements.length === 0) return [] as unknown as Results<S>
    this.calls++
    const started = performance.now()
    try {
      const results = await this.#session.batch(
        statements.map(({ sql, params }) => this.#session.prepare(sql).bind(...params)),
      )
      for (const { meta } of results) {
        this.rowsRead += meta.rows_read ?? 0
        this.rowsWritten += meta.rows_written ?? 0
      }
      return results as Results<S>
    } finally {
      this.spentMs += performance.now() - started
    }
  }

  async all<Row>(statement: Statement<Row>): Promise<Known<Row>[]> {
    const [result] = await this.batch([statement])
    return result.results
  }

  async first<Row>(statement: Statement<Row>): Promise<Known<Row> | undefined> {
    const [row] = await this.all(statement)
    return row
  }

  /** Where this caller has read or written up to; a later request that shows it may be served by a replica. */
  get bookmark(): string | null {
    return this.#session.getBookmark()
  }
}

/** Four groups of hexadecimal digits. Anything else, such as `first-unconstrained`, is not a caller's to choose. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

/** Without a bookmark the primary answers. */
export function databaseFor(env: Pick<Env, 'DB'>, _orgId: string, bookmark?: string | null): Database {
  return new Database(env.DB.withSession(bookmark && BOOKMARK.test(bookmark) ? bookmark : 'first-primary'))
}

/** Every database there is, for work that belongs to no single organization. */
export function allDatabases(env: Pick<Env, 'DB'>): Database[] {
  return [new Database(env.DB.withSession('first-primary'))]
}

export function directory(env: Pick<Env, 'DB'>) {
  return drizzle(env.DB)
}

export type Directory = ReturnType<typeof directory>
