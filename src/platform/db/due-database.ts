// A database as Drizzle calls it, with a deadline for every call (N59).
import { inTime, isRead } from './deadline.ts'

class DueStatement {
  readonly sql: string
  readonly inner: D1PreparedStatement

  constructor(sql: string, inner: D1PreparedStatement) {
    this.sql = sql
    this.inner = inner
  }

  bind(...values: unknown[]): DueStatement {
    return new DueStatement(this.sql, this.inner.bind(...values))
  }

  run(): Promise<D1Result> {
    return inTime(isRead(this.sql), () => this.inner.run())
  }

  all(): Promise<D1Result> {
    return inTime(isRead(this.sql), () => this.inner.all())
  }

  raw(): Promise<unknown[][]> {
    return inTime(isRead(this.sql), () => this.inner.raw())
  }
}

class DueDatabase {
  readonly #db: D1Database

  constructor(db: D1Database) {
    this.#db = db
  }

  prepare(sql: string): DueStatement {
    return new DueStatement(sql, this.#db.prepare(sql))
  }

  batch(statements: DueStatement[]): Promise<D1Result[]> {
    const reads = statements.every(({ sql }) => isRead(sql))
    return inTime(reads, () => this.#db.batch(statements.map(({ inner }) => inner)))
  }
}

/** What Drizzle uses of a database, and no more. */
export const dueDatabase = (db: D1Database) => new DueDatabase(db) as unknown as D1Database
