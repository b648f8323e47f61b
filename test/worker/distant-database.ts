// A database whose primary is far away and which has a replica nearby. It sends each call where the platform would (N59): what writes goes
// to the primary, as does the first call of a session that begins there; the rest goes to the replica.
import { isRead } from '../../src/platform/db/deadline.ts'

export interface Distance {
  farMs: number
  nearMs: number
}

export interface Trips {
  far: number
  near: number
}

interface Sql {
  text: string
  params: unknown[]
}

export class DistantDatabase {
  readonly trips: Trips
  /** A replica that stands still since then: what it was asked before, it answers as before; else it knows nothing. */
  stopped: Map<string, D1Result[]> | undefined
  readonly binding: D1Database
  readonly #db: D1Database
  readonly #distance: Distance
  readonly #answers = new Map<string, D1Result[]>()
  readonly #sqlOf = new WeakMap<object, Sql>()

  constructor(db: D1Database, distance: Distance = { farMs: 0, nearMs: 0 }, trips: Trips = { far: 0, near: 0 }) {
    this.trips = trips
    this.#db = db
    this.#distance = distance
    this.binding = { withSession: (start: string) => this.#session(start) } as unknown as D1Database
  }

  /** The replica stands still from now on. */
  stop(): void {
    this.stopped = new Map(this.#answers)
  }

  forget(): void {
    Object.assign(this.trips, { far: 0, near: 0 })
  }

  async #far<T>(work: () => Promise<T>): Promise<T> {
    this.trips.far++
    if (this.#distance.farMs) await scheduler.wait(this.#distance.farMs)
    return work()
  }

  async #near<T>(work: () => Promise<T>): Promise<T> {
    this.trips.near++
    if (this.#distance.nearMs) await scheduler.wait(this.#distance.nearMs)
    return work()
  }

  #session(start: string): object {
    const session = this.#db.withSession(start)
    let isAtPrimary = start === 'first-primary'
    return {
      prepare: (text: string) => ({
        bind: (...params: unknown[]) => {
          const statement = session.prepare(text).bind(...params)
          this.#sqlOf.set(statement, { text, params })
          return statement
        },
      }),
      batch: (statements: D1PreparedStatement[]) => {
        const sqls = statements.map(statement => this.#sqlOf.get(statement) ?? { text: '', params: [] })
        const goesFar = isAtPrimary || !sqls.every(({ text }) => isRead(text))
        isAtPrimary = false
        if (goesFar) return this.#far(() => session.batch(statements))
        const key = JSON.stringify(sqls)
        return this.#near(async () => {
          if (this.stopped && start === 'first-unconstrained') {
            return this.stopped.get(key) ?? sqls.map(() => ({ success: true, results: [], meta: {} }))
          }
          const answer = await session.batch(statements)
          this.#answers.set(key, answer)
          return answer
        })
      },
      getBookmark: () => session.getBookmark(),
    }
  }
}
