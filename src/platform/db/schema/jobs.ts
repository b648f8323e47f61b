// Durable jobs under way (platform/jobs): loads, reverts, moves, backups. A row is gone when its job has ended.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const columnsOfJobs = () => ({
  id: text().primaryKey(),
  orgId: text('org_id').notNull(),
  /** Jobs of one lane of an organization run one at a time, in the order of `seq`. */
  lane: text().notNull(),
  seq: integer().notNull(),
  kind: text().notNull(),
  phase: text().generatedAlwaysAs(sql`state ->> '$.phase'`, { mode: 'virtual' }),
  /** Counts the steps done; a step commits only from the number it has started with. */
  step: integer().notNull(),
  /** Wake-ups since the last step, and those of them that failed. */
  attempts: integer().notNull(),
  failures: integer().notNull(),
  isCancelled: integer('is_cancelled', { mode: 'boolean' }).notNull(),
  /** The job rests until then. */
  wakeOn: integer('wake_on').notNull(),
  touchedOn: integer('touched_on').notNull(),
  state: text().notNull(),
})

/** In the database of the organization; they move with it. */
export const jobs = sqliteTable('jobs', columnsOfJobs(), t => [index('jobs_lane').on(t.orgId, t.lane, t.seq)])

/** In the directory, wherever the organization's data is. */
export const directoryJobs = sqliteTable('directory_jobs', columnsOfJobs(), t => [
  index('directory_jobs_lane').on(t.orgId, t.lane, t.seq),
])
