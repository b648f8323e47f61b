// The fence around an organization (N56, N57): what is written under an epoch of the past, or while writes are stopped for a move,
// fails whole. Commits have it in the statement that moves the clock; whatever else is written or, while it moves, read of an
// organization, has one of these statements before it.
import { sql } from 'drizzle-orm'
import { clocks } from './schema/entities.ts'
import { prepared } from './sql.ts'

/** Begins the message of a transaction that the fence has refused. */
export const FENCED = 'fence: this organization is somewhere else'

export const isFenced = (error: unknown) => error instanceof Error && error.message.includes(FENCED)

/** An expression that fails wherever it is evaluated. */
export const fenced = sql.raw(`json_extract('{}', '${FENCED}')`)

type Values = { orgId: string; epoch: number }

/** Fails unless it may be written here. */
export const mayWrite = prepared<Values>(
  ({ orgId, epoch }) => sql`SELECT ${fenced} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}
    AND (${clocks.state} <> 'open' OR ${clocks.epoch} <> ${epoch})`,
)

/** Fails where it has left: what is read here would be old. */
export const mayRead = prepared<Values>(
  ({ orgId, epoch }) => sql`SELECT ${fenced} FROM ${clocks} WHERE ${clocks.orgId} = ${orgId}
    AND (${clocks.state} = 'moved' OR ${clocks.epoch} <> ${epoch})`,
)
