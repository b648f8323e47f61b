// Databases (SQLite behind the endpoints of D1), buckets and queues.
import { randomUUID } from 'node:crypto'
import { unstable_splitSqlQuery as splitSql } from 'wrangler'
import type { Account, Database, NewDatabase, Queue } from './account.ts'
import { ApiProblem, type Call, type Handlers, notFound } from './answer.ts'

const json = async <Shape>({ request }: Call): Promise<Shape> => (await request.json()) as Shape

export function databaseHandlers(account: Account): Handlers {
  const found = (key: string | undefined): Database => {
    const database = account.databases.find(({ uuid, name }) => uuid === key || name === key)
    if (!database) throw notFound(7404, `The database ${key}`)
    return database
  }
  const shown = ({ sqlite: _, ...rest }: Database) => ({
    ...rest,
    created_at: '2026-11-15T00:00:00Z',
    version: 'production',
  })
  return {
    'GET /d1/database': (_, { query }) => {
      const name = query.get('name')
      return account.databases.filter(each => name === null || each.name.includes(name)).map(shown)
    },
    'POST /d1/database': async (_, call) => {
      const wanted = await json<NewDatabase>(call)
      if (account.databases.some(each => each.name === wanted.name)) {
        throw new ApiProblem(400, 7502, `Database with name '${wanted.name}' already exists`)
      }
      return shown(account.createDatabase(wanted))
    },
    'GET /d1/database/:id': ({ id }) => shown(found(id)),
    'PUT /d1/database/:id': async ({ id }, call) => {
      const { read_replication } = await json<Pick<Database, 'read_replication'>>(call)
      return shown(Object.assign(found(id), { read_replication }))
    },
    'POST /d1/database/:id/query': async ({ id }, call) => {
      const { sql } = await json<{ sql: string }>(call)
      return queried(found(id), sql)
    },
  }
}

/** All statements of a query, or none: as D1 does it. */
function queried({ sqlite }: Database, sql: string) {
  sqlite.exec('BEGIN')
  try {
    const results = splitSql(sql).map((statement: string) => ({
      results: sqlite.prepare(statement).all(),
      success: true,
      meta: { duration: 1 },
    }))
    sqlite.exec('COMMIT')
    return results
  } catch (error) {
    sqlite.exec('ROLLBACK')
    throw new ApiProblem(400, 7500, `${error instanceof Error ? error.message : error}: SQLITE_ERROR`)
  }
}

export function bucketHandlers(account: Account): Handlers {
  const keyOf = (name: string, { request }: Call) => {
    const jurisdiction = request.headers.get('cf-r2-jurisdiction')
    return jurisdiction ? `${jurisdiction}/${name}` : name
  }
  return {
    'GET /r2/buckets': () => ({ buckets: [...account.buckets].map(name => ({ name })) }),
    'GET /r2/buckets/:name': ({ name = '' }, call) => {
      if (!account.buckets.has(keyOf(name, call))) throw notFound(10_006, 'The bucket')
      return { name }
    },
    'POST /r2/buckets': async (_, call) => {
      const { name, locationHint } = await json<{ name: string; locationHint?: string }>(call)
      const key = keyOf(name, call)
      if (account.buckets.has(key)) throw new ApiProblem(409, 10_004, 'The bucket you tried to create already exists')
      account.buckets.add(key)
      if (locationHint) account.locationHints.set(key, locationHint)
      return { name }
    },
  }
}

export function queueHandlers(account: Account): Handlers {
  const byId = (id: string | undefined): Queue => {
    const queue = account.queues.find(each => each.queue_id === id)
    if (!queue) throw notFound(11_000, 'The queue')
    return queue
  }
  return {
    'GET /queues': (_, { query }) => {
      const names = query.getAll('name')
      return account.queues.filter(({ queue_name }) => names.length === 0 || names.includes(queue_name))
    },
    'POST /queues': async (_, call) => {
      const { queue_name } = await json<{ queue_name: string }>(call)
      if (account.queues.some(each => each.queue_name === queue_name)) {
        throw new ApiProblem(409, 11_009, `Queue name '${queue_name}' is already taken`)
      }
      const queue: Queue = { queue_id: randomUUID().replaceAll('-', ''), queue_name, consumers: [] }
      account.queues.push(queue)
      return queue
    },
    'POST /queues/:id/consumers': async ({ id }, call) => {
      const { script_name, ...rest } = await json<{ script_name: string }>(call)
      const queue = byId(id)
      if (queue.consumers.length > 0) throw new ApiProblem(400, 11_004, 'The queue already has a consumer')
      const consumer = { ...rest, type: 'worker' as const, consumer_id: randomUUID(), script: script_name }
      queue.consumers.push(consumer)
      return consumer
    },
    'PUT /queues/:id/consumers/:consumerId': async ({ id, consumerId }, call) => {
      const { script_name: _, ...rest } = await json<{ script_name: string }>(call)
      const consumer = byId(id).consumers.find(each => each.consumer_id === consumerId)
      if (!consumer) throw notFound(11_001, 'The consumer')
      return Object.assign(consumer, rest)
    },
  }
}
