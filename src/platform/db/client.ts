// The one way to a database. Organizations may be spread over several: ask `databaseFor` for an organization's, and
// `directory` for what is known before the organization is (credentials, slugs).
import { sql } from 'drizzle-orm'
import { Fault } from '../errors.ts'
import { type Bookmark, bookmarkIn, textOfBookmark } from './bookmark.ts'
import { type Deadlines, inTime, isRead } from './deadline.ts'
import { FENCED, isFenced, mayRead, mayWrite } from './fence.ts'
import { FENCE_LOOK_MS, FENCE_PATIENCE_MS } from './limits.ts'
import {
  type Bindings,
  DIRECTORY,
  databaseNamed,
  databasesOf,
  FIRST_PLACE,
  forgetPlace,
  knownPlace,
  learnPlace,
  type Place,
} from './placement.ts'
import { Queueing } from './queueing.ts'
import { orgs } from './schema/organizations.ts'
import { sessions } from './session.ts'
import { columns, prepared, type Statement } from './sql.ts'

export type { Bindings } from './placement.ts'
export type { Statement } from './sql.ts'

/** A statement that does not say what its rows look like. */
type Known<Row> = unknown extends Row ? Record<string, unknown> : Row

/** The results of statements, in their order. */
type Results<S extends readonly unknown[]> = {
  [At in keyof S]: S[At] extends Statement<infer Row> ? D1Result<Known<Row>> : never
}

/** Where a session begins: at the primary, at the nearest replica, or at a bookmark. */
type OpenSession = (start: string) => D1DatabaseSession
const PRIMARY = 'first-primary'
const NEAREST = 'first-unconstrained'

/** A place, and the way to it. */
export interface Site extends Place {
  open: OpenSession
}

interface Opened {
  site: Site
  session: D1DatabaseSession
  isAtPrimary: boolean
}

/** `again`: what was known before has turned out to be old. */
type FindSite = (again: boolean) => Site | Promise<Site>

type Begin = typeof PRIMARY | typeof NEAREST | Bookmark

const placeOf = prepared<{ orgId: string }, Place>(
  ({ orgId }) => sql`SELECT ${columns(orgs, ['database', 'epoch', 'moving'])} FROM ${orgs} WHERE ${orgs.id} = ${orgId}`,
)

export class Database {
  /** Round trips so far: Server-Timing shows it. */
  calls = 0
  spentMs = 0
  /** As D1 counts them. */
  rowsRead = 0
  rowsWritten = 0
  readonly #find: FindSite
  readonly #begin: Begin
  readonly #deadlines: Deadlines | undefined
  readonly #orgId: string | undefined
  readonly #queueing: Queueing | undefined
  #opening: Promise<Opened> | undefined
  #open: Opened | undefined
  #noted: string | null = null

  /** `orgId`: of the organization that it is for. `queueing`: no caller waits for an answer, so the work rests while the database is busy. */
  constructor(
    find: FindSite,
    begin: Begin = PRIMARY,
    { deadlines, orgId, queueing }: { deadlines?: Deadlines; orgId?: string; queueing?: Queueing | undefined } = {},
  ) {
    this.#find = find
    this.#begin = begin
    this.#deadlines = deadlines
    this.#orgId = orgId
    this.#queueing = queueing
  }

  /** Calls side by side share one session: the bookmark is that of all of them. */
  #opened(): Promise<Opened> {
    this.#opening ??= this.#openFirst().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #openFirst(): Promise<Opened> {
    let site = await this.#find(false)
    const begin = this.#begin
    const isMark = typeof begin !== 'string'
    // The caller has seen it in another database: this isolate knows it from before it moved, or the bookmark is from then.
    if (isMark && begin.database !== site.database) site = await this.#find(true)
    const start = !isMark ? begin : begin.database === site.database ? begin.mark : PRIMARY
    this.#open = { site, session: site.open(start), isAtPrimary: start === PRIMARY }
    return this.#open
  }

  /** Where the organization is, as this isolate knows it. */
  async place(): Promise<Place> {
    return (await this.#opened()).site
  }

  /**
   * What the fence has refused has failed whole: it is made again where the organization is now. While it is on its way (N57), work
   * that nobody waits for comes back until it has arrived; a caller is told to.
   */
  async withinEpoch<T>(work: () => Promise<T>): Promise<T> {
    const until = Date.now() + (this.#queueing ? FENCE_PATIENCE_MS : 0)
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work()
      } catch (error) {
        if (!isFenced(error)) throw error
      }
      const isElsewhere = await this.lookAgain()
      if (isFirst && isElsewhere) continue
      if (Date.now() >= until) break
      await scheduler.wait(FENCE_LOOK_MS)
    }
    throw new Fault('unavailable', 'The organization is just moving to another database. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  }

  /** After what was refused because of its epoch: whether the organization is somewhere else by now (N56). */
  async lookAgain(): Promise<boolean> {
    const open = await this.#opened()
    const before = open.site
    const site = await this.#find(true)
    Object.assign(open, { site, session: site.open(PRIMARY), isAtPrimary: true })
    return site.database !== before.database || site.epoch !== before.epoch
  }

  /** All statements in one transaction and one round trip. */
  async batch<S extends readonly Statement<unknown>[]>(statements: readonly [...S]): Promise<Results<S>> {
    // D1 takes no empty batch.
    if (statements.length === 0) return [] as unknown as Results<S>
    this.calls++
    const started = performance.now()
    try {
      const results = await this.#fenced(statements)
      for (const { meta } of results) {
        this.rowsRead += meta.rows_read ?? 0
        this.rowsWritten += meta.rows_written ?? 0
      }
      return results as Results<S>
    } finally {
      this.spentMs += performance.now() - started
    }
  }

  /** Called by background jobs between their steps (N76). */
  async rest(): Promise<void> {
    await this.#queueing?.rest()
  }

  /** With the fence before what has none of its own: all writes, and the reads of an organization that is on its way. */
  async #fenced(statements: readonly Statement<unknown>[]): Promise<D1Result[]> {
    const orgId = this.#orgId
    const reads = statements.every(({ sql }) => isRead(sql))
    const hasOwn = !reads && statements.some(({ sql }) => sql.includes(FENCED))
    if (orgId === undefined || hasOwn) return this.#answers(statements, reads)
    return this.withinEpoch(async () => {
      const { epoch, moving } = (await this.#opened()).site
      if (reads && !moving) return this.#answers(statements, reads)
      const fence = (reads ? mayRead : mayWrite)({ orgId, epoch })
      return (await this.#answers([fence, ...statements], reads)).slice(1)
    })
  }

  /** If the nearest replica does not answer, the primary is asked (N59). */
  async #answers(statements: readonly Statement<unknown>[], reads: boolean): Promise<D1Result[]> {
    const open = await this.#opened()
    const ask = () => {
      const { session } = open
      return session.batch(statements.map(({ sql, params }) => session.prepare(sql).bind(...params)))
    }
    const askPrimary = () => {
      Object.assign(open, { session: open.site.open(PRIMARY), isAtPrimary: true })
      return ask()
    }
    const asked = performance.now()
    const answers = await inTime(reads, ask, open.isAtPrimary ? undefined : askPrimary, this.#deadlines)
    this.#queueing?.note(performance.now() - asked, statements, answers)
    // Only the first call of a session is sure to go there.
    open.isAtPrimary = false
    return answers
  }

  async all<Row>(statement: Statement<Row>): Promise<Known<Row>[]> {
    const [result] = await this.batch([statement])
    return result.results
  }

  async first<Row>(statement: Statement<Row>): Promise<Known<Row> | undefined> {
    const [row] = await this.all(statement)
    return row
  }

  /** How many rows it has changed. */
  async run(statement: Statement<unknown>): Promise<number> {
    const [{ meta }] = await this.batch([statement])
    return meta.changes
  }

  /** Where this caller has read or written up to; a later request that shows it may be served by a replica. */
  get bookmark(): string | null {
    const mark = this.#open?.session.getBookmark()
    const own = mark && this.#open ? textOfBookmark({ database: this.#open.site.database, mark }) : null
    return this.#noted !== null && this.#noted > (own ?? '') ? this.#noted : own
  }

  /** Another worker has written for this caller. */
  noteBookmark(bookmark: string | null): void {
    if (bookmark !== null && bookmark > (this.#noted ?? '')) this.#noted = bookmark
  }
}

const siteOf = (env: Bindings, { database, epoch, moving = false }: Place): Site => ({
  database,
  epoch,
  moving,
  open: start => sessions.open(databaseNamed(env, database), start),
})

/** One database by name. A commit must ask for the organization's own. */
export const databaseAt = (env: Bindings, database: string, begin?: Begin, queueing?: Queueing) =>
  new Database(() => siteOf(env, { database, epoch: 0 }), begin, { queueing })

async function sought(env: Bindings, orgId: string): Promise<Site> {
  const place = (await directory(env).first(placeOf({ orgId }))) ?? FIRST_PLACE
  forgetPlace(orgId)
  learnPlace(orgId, place)
  return siteOf(env, place)
}

/**
 * Without a bookmark the primary answers. Where the organization is, is looked up only where no credential has told it. A caller that
 * waits for its answer has a bookmark or none (null); what gives no such thing is work in the background. Several of one invocation
 * may share what they measure.
 */
export function databaseFor(
  env: Bindings,
  orgId: string,
  bookmark?: string | null,
  queueing = bookmark === undefined ? new Queueing() : undefined,
): Database {
  const find: FindSite = again => {
    const place = knownPlace(orgId)
    return place && !again ? siteOf(env, place) : sought(env, orgId)
  }
  return new Database(find, bookmarkIn(bookmark) ?? PRIMARY, { orgId, queueing })
}

/** Every database there is, for work that belongs to no single organization. */
export function allDatabases(env: Bindings): Database[] {
  return [...databasesOf(env).keys()].map(name => databaseAt(env, name))
}

/** Works in each database; one that fails does not hold up the others, and is reported at the end. */
export async function inEachDatabase(env: Bindings, work: (db: Database) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(allDatabases(env).map(work))
  const failed = results.filter(result => result.status === 'rejected')
  for (const { reason } of failed.slice(1)) console.error('database', reason)
  if (failed[0]) throw failed[0].reason
}

/** At the primary. */
export function directory(env: Bindings): Database {
  return databaseAt(env, DIRECTORY)
}

/** For reading it where a little lag does no harm (N59). */
export function nearDirectory(env: Bindings): Database {
  return databaseAt(env, DIRECTORY, NEAREST)
}
