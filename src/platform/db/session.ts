// Guards against sessions that hang (N84): under some settings of the platform every query of a D1 session waits forever, without an
// error. The first query in an isolate that does not settle in time shows it; the isolate then uses the plain binding, which
// always asks the primary. Once a session has answered, slow queries are load and nothing else.
import { isRead } from './deadline.ts'
import { SESSION_FIRST_ANSWER_MAX_MS } from './limits.ts'

export class SessionGuard {
  #state: 'unknown' | 'working' | 'hanging' = 'unknown'
  readonly #patienceMs: number

  constructor(patienceMs = SESSION_FIRST_ANSWER_MAX_MS) {
    this.#patienceMs = patienceMs
  }

  open(db: D1Database, start: string): D1DatabaseSession {
    if (this.#state === 'hanging') return plain(db)
    const session = db.withSession(start)
    return this.#state === 'working' ? session : this.#watched(db, session)
  }

  /** A read is asked again at the plain binding; a write may have been done, and is left to its deadline. */
  #watched(db: D1Database, session: D1DatabaseSession): D1DatabaseSession {
    let reads = true
    const batch = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
      if (this.#state === 'hanging') return db.batch<T>(statements)
      const answer = session.batch<T>(statements)
      if (this.#state === 'working' || !(await this.#hangs(answer))) return answer
      return reads ? db.batch<T>(statements) : answer
    }
    const prepare = (sql: string) => {
      reads &&= isRead(sql)
      return session.prepare(sql)
    }
    return { prepare, batch, getBookmark: () => session.getBookmark() }
  }

  async #hangs(answer: Promise<unknown>): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, this.#patienceMs, true)
    })
    const settled = answer.then(
      () => false,
      () => false,
    )
    const hangs = await Promise.race([settled, late])
    clearTimeout(timer)
    if (this.#state === 'unknown') {
      this.#state = hangs ? 'hanging' : 'working'
      if (hangs) console.error('D1 sessions do not answer: this isolate uses the primary from now on')
    }
    return hangs && this.#state === 'hanging'
  }
}

const plain = (db: D1Database): D1DatabaseSession => ({
  prepare: sql => db.prepare(sql),
  batch: statements => db.batch(statements),
  getBookmark: () => null,
})

export const sessions = new SessionGuard()
