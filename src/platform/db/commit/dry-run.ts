// A dry run of a commit: its last statement fails on purpose, so that everything before it has been checked and done, and is
// taken back.
import { sql } from 'drizzle-orm'
import { statement } from '../sql.ts'

const END = 'end of a dry run'

export const dryRunEnd = statement(sql`SELECT json_extract('{}', ${sql.raw(`'${END}'`)})`)

export function isDryRunEnd(error: unknown): boolean {
  return error instanceof Error && error.message.includes(`'${END}'`)
}
