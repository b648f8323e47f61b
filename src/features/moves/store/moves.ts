// Moves in the directory. A step counts once: whoever has done it from the number where it stands. Answers rows, decides nothing.
import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { directory } from '../../../platform/db/client.ts'
import { moves, oldCopies, orgs } from '../../../platform/db/schema/organizations.ts'
import { bare, build, columns, insertInto, type RowOf, selection, statement } from '../../../platform/db/sql.ts'
import type { Env } from '../../../platform/env.ts'
import type { AuditRow } from '../../audit/entry.ts'
import { auditIfChanged } from '../../audit/store.ts'
import { takeOverMove } from './jobs.ts'
import { OUT_OF_TURN } from './rows.ts'

export type MoveRow = RowOf<typeof moves>

export async function findMove(env: Env, orgId: string): Promise<MoveRow | undefined> {
  return directory(env).first(statement(build.select(selection(moves)).from(moves).where(eq(moves.orgId, orgId))))
}

/** Undefined where another one is under way. From here on whoever looks up the organization knows that it is moving. */
export async function insertMove(env: Env, row: MoveRow): Promise<MoveRow | undefined> {
  const { orgId, id, source, target, epoch } = row
  const names = Object.keys(row) as (keyof MoveRow)[]
  const replaced = names.filter(name => name !== 'orgId' && name !== 'step')
  const values = names.map(name => sql`${row[name]}`)
  const [begun] = await directory(env).batch([
    statement(sql<MoveRow>`${insertInto(moves, names)} SELECT ${sql.join(values, sql`, `)}
      WHERE EXISTS (SELECT 1 FROM ${orgs} WHERE ${orgs.id} = ${orgId} AND ${orgs.database} = ${source}
        AND ${orgs.epoch} = ${epoch} AND ${orgs.deletedOn} IS NULL)
      ON CONFLICT (${bare(moves.orgId)}) DO UPDATE SET ${bare(moves.step)} = ${moves.step} + 1, ${sql.join(
        replaced.map(name => sql`${bare(moves[name])} = excluded.${bare(moves[name])}`),
        sql`, `,
      )} WHERE ${moves.endedOn} IS NOT NULL RETURNING ${columns(moves)}`),
    statement(sql`UPDATE ${orgs} SET ${bare(orgs.moving)} = 1 WHERE ${orgs.id} = ${orgId} AND ${isMove(orgId, id)}`),
    statement(sql`DELETE FROM ${oldCopies} WHERE ${oldCopies.orgId} = ${orgId} AND ${oldCopies.database} = ${target}
      AND ${isMove(orgId, id)}`),
    ...takeOverMove(orgId),
  ])
  return begun.results[0]
}

const isMove = (orgId: string, id: string) =>
  sql`EXISTS (SELECT 1 FROM ${moves} WHERE ${moves.orgId} = ${orgId} AND ${moves.id} = ${id})`

const isAt = ({ orgId, id, step }: MoveRow) =>
  and(eq(moves.orgId, orgId), eq(moves.id, id), eq(moves.step, step), isNull(moves.endedOn))

type Changed = Partial<Pick<MoveRow, 'phase' | 'notes' | 'error' | 'stoppedOn' | 'endedOn'>>

/** The next step; undefined where somebody else has taken it. */
export async function advanceMove(
  env: Env,
  move: MoveRow,
  changed: Changed,
  event?: AuditRow,
): Promise<MoveRow | undefined> {
  const next = { ...changed, step: move.step + 1, touchedOn: Date.now() }
  const [advanced] = await directory(env).batch([
    statement(build.update(moves).set(next).where(isAt(move)).returning(selection(moves))),
    ...(event ? [auditIfChanged(event)] : []),
  ])
  return advanced.results[0]
}

/** The organization is in the target from now on: one statement, guarded by the epoch that it had (N57). */
export async function flip(env: Env, move: MoveRow, notes: string, sweepOn: number): Promise<MoveRow | undefined> {
  const { orgId, source, target, epoch } = move
  const isTurn = sql`SELECT json_extract('{}', ${sql.raw(`'${OUT_OF_TURN}'`)})
    WHERE NOT EXISTS (SELECT 1 FROM ${moves} WHERE ${isAt(move)} AND ${moves.phase} = 'stopped')`
  const isThere = sql`EXISTS (SELECT 1 FROM ${orgs} WHERE ${orgs.id} = ${orgId} AND ${orgs.database} = ${target}
    AND ${orgs.epoch} = ${epoch + 1})`
  const next = { phase: 'opening', notes, step: move.step + 1, touchedOn: Date.now() } as const
  const results = await directory(env).batch([
    statement(isTurn),
    statement(sql`UPDATE ${orgs} SET ${bare(orgs.database)} = ${target}, ${bare(orgs.epoch)} = ${epoch + 1},
      ${bare(orgs.moving)} = 0 WHERE ${orgs.id} = ${orgId} AND ${orgs.database} = ${source} AND ${orgs.epoch} = ${epoch}`),
    statement(
      build
        .update(moves)
        .set(next)
        .where(and(isAt(move), isThere))
        .returning(selection(moves)),
    ),
    copyLeft(orgId, source, sweepOn),
  ])
  return results[2]?.results[0] as MoveRow | undefined
}

const copyLeft = (orgId: string, database: string, sweepOn: number) =>
  statement(
    build
      .insert(oldCopies)
      .values({ orgId, database, sweepOn })
      .onConflictDoUpdate({ target: [oldCopies.orgId, oldCopies.database], set: { sweepOn } }),
  )

/** It stays where it was; what was copied goes. */
export async function endUndone(
  env: Env,
  move: MoveRow,
  phase: 'cancelled' | 'failed',
  event: AuditRow,
): Promise<MoveRow | undefined> {
  const now = Date.now()
  const next = { phase, step: move.step + 1, touchedOn: now, endedOn: now, stoppedOn: null }
  const [, ended] = await directory(env).batch([
    statement(sql`UPDATE ${orgs} SET ${bare(orgs.moving)} = 0 WHERE ${orgs.id} = ${move.orgId}
      AND EXISTS (SELECT 1 FROM ${moves} WHERE ${isAt(move)})`),
    statement(build.update(moves).set(next).where(isAt(move)).returning(selection(moves))),
    auditIfChanged(event),
    copyLeft(move.orgId, move.target, now),
  ])
  return ended.results[0]
}

/** Under way, and not touched since; of all organizations. */
export function standingMoves(env: Env, before: number, limit: number): Promise<{ orgId: string }[]> {
  const select = build
    .select(selection(moves, ['orgId']))
    .from(moves)
    .where(and(isNull(moves.endedOn), lt(moves.touchedOn, before)))
    .limit(limit)
  return directory(env).all(statement(select))
}

export type OldCopy = RowOf<typeof oldCopies>

export function dueCopies(env: Env, now: number, limit: number): Promise<OldCopy[]> {
  const select = build.select(selection(oldCopies)).from(oldCopies).where(lte(oldCopies.sweepOn, now)).limit(limit)
  return directory(env).all(statement(select))
}

export async function forgetCopy(env: Env, { orgId, database, sweepOn }: OldCopy): Promise<void> {
  const isIt = and(eq(oldCopies.orgId, orgId), eq(oldCopies.database, database), eq(oldCopies.sweepOn, sweepOn))
  await directory(env).run(statement(build.delete(oldCopies).where(isIt)))
}
