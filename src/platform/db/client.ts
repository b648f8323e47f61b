// The one way to a database. Organizations may be spread over several: ask `databaseFor` for an organization's, and
// `directory` for what is known before the organization is (credentials, slugs).
import { drizzle } from 'drizzle-orm/d1'
import type { Env } from '../../env.ts'
import { inTime, isRead } from './deadline.ts'
import { dueDatabase } from './due-database.ts'
import type { Statement } from './sql.ts'

export type { Statement } from './sql.ts'

/** A statement that does not say what its rows look like. */
type Known<Row> = unknown extends Row ? Record<string, unknown> : Row

/** The results of statements, in their order. */
type Results<S extends readonly unknown[]> = {
  [At in keyof S]: S[At] extends Statement<infer Row> ? D1Result<Known<Row>> : never
}

/** Where a session begins: at the primary, at whatever is nearest, or at what a bookmark names. */
type OpenSession = (start: string) => D1DatabaseSession
const PRIMARY = 'first-primary'
const NEAREST = 'first-unconstrained'

export class Database {
  /** Round trips so far: Server-Timing shows it. */
  calls = 0
  spentMs = 0
  /** As D1 counts them. */
  rowsRead = 0
  rowsWritten = 0
  readonly #open: OpenSession
  readonly #start: string
  #session: D1DatabaseSession
  #noted: string | null = null

  constructor(open: OpenSession, start = PRIMARY) {
    this.#open = open
    this.#start = start
    this.#session = open(start)
  }

  /** All statements in one transaction and one round trip. */
  async batch<S extends readonly Statement<unknown>[]>(statements: readonly [...S]): Promise<Results<S>> {
    // D1 takes no empty batch.
    if (statements.length === 0) return [] as unknown as Results<S>
    this.calls++
    const started = performance.now()
    try {
      const results = await this.#answers(statements)
      for (const { meta } of results) {
        this.rowsRead += meta.rows_read ?? 0
        this.rowsWritten += meta.rows_written ?? 0
      }
      return results as Results<S>
    } finally {
      this.spentMs += performance.now() - started
    }
  }

  /** Where the nearest replica does not serve, whatever the reason, the primary is asked (N59). */
  #answers(statements: readonly Statement<unknown>[]): Promise<D1Result[]> {
    const ask = () => {
      const session = this.#session
      return session.batch(statements.map(({ sql, params }) => session.prepare(sql).bind(...params)))
    }
    const askPrimary = () => {
      this.#session = this.#open(PRIMARY)
      return ask()
    }
    const reads = statements.every(({ sql }) => isRead(sql))
    return inTime(reads, ask, this.#start === PRIMARY ? undefined : askPrimary)
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
    const own = this.#session.getBookmark()
    return this.#noted !== null && this.#noted > (own ?? '') ? this.#noted : own
  }

  /** Somebody else has written for this caller. */
  noteBookmark(bookmark: string | null): void {
    if (bookmark !== null && bookmark > (this.#noted ?? '')) this.#noted = bookmark
  }
}

/** Four groups of hexadecimal digits. Anything else, such as `first-unconstrained`, is not a caller's to choose. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/

const sessionsOf =
  ({ DB }: Pick<Env, 'DB'>): OpenSession =>
  start =>
    DB.withSession(start)

/** Without a bookmark the primary answers. */
export function databaseFor(env: Pick<Env, 'DB'>, _orgId: string, bookmark?: string | null): Database {
  return new Database(sessionsOf(env), bookmark && BOOKMARK.test(bookmark) ? bookmark : PRIMARY)
}

/** Every database there is, for work that belongs to no single organization. */
export function allDatabases(env: Pick<Env, 'DB'>): Database[] {
  return [new Database(sessionsOf(env))]
}

/** At the primary. */
export function directory(env: Pick<Env, 'DB'>) {
  return drizzle(dueDatabase(env.DB))
}

/** For reading the directory where a little lag does no harm (N59). */
export function nearDirectory(env: Pick<Env, 'DB'>): Database {
  return new Database(sessionsOf(env), NEAREST)
}

/** For reading it as it is now. */
export function currentDirectory(env: Pick<Env, 'DB'>): Database {
  return new Database(sessionsOf(env))
}

export type Directory = ReturnType<typeof directory>
