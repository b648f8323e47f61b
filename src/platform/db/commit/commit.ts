// The one place that writes entities: writes and their change records in one D1 batch, a constant number of
// statements for each megabyte of them. The check comes before them and fails the whole batch when any write is refused.
import type { Context } from '../../context.ts'
import type { Statement } from '../client.ts'
import type { EntityRow } from '../row.ts'
import { checkOf, checkStatement, tickStatement } from './check.ts'
import { moreEntities } from './clock.ts'
import { commitWide } from './commit-wide.ts'
import { dryRunEnd, isDryRunEnd } from './dry-run.ts'
import { healClock, isAhead } from './heal-clock.ts'
import { claimStatements, isClaimed, keepStatement, keptRows } from './idempotency.ts'
import { readRefusal } from './refusal.ts'
import { type Slice, sliced } from './slice.ts'
import { createdRow, type Scope } from './statements.ts'
import type { TypeGuard } from './type-checks.ts'
import { isRecorded, type Write } from './write.ts'

export interface CommitOptions {
  /** Statements that must stand or fall with the writes, before and after them. */
  before?: Statement[]
  after?: Statement[]
  /** Faults name the place in the caller's list. */
  isBatch?: boolean
  /** Bulk writers that need no rows back save the reading. */
  returning?: boolean
  /** The caller has just looked for duplicates: what came between is caught by the unique indexes, and not named. */
  isLookedUp?: boolean
  /** What the writes were validated against; refused where the types have changed since. */
  types?: TypeGuard | undefined
}

export interface Committed {
  /** The entity behind each create and update, in the order of the writes; null for a delete. None after a dry run, or if the caller does not need them. */
  rows: (EntityRow | null)[]
  /** Results of `options.after`; none where the rows are those of an earlier, identical request. */
  after: D1Result<Record<string, unknown>>[]
}

type CommitScope = Scope &
  Pick<Context, 'idempotency' | 'isDryRun'> &
  Partial<Pick<Context, 'announce' | 'committed' | 'keepWatch' | 'defer'>>

/** A commit that names the organization's old database looks the placement up again and repeats there (N56). */
export async function commit(
  scope: CommitScope,
  writes: readonly Write[],
  options: CommitOptions = {},
): Promise<Committed> {
  return scope.db.withinEpoch(() => committed(scope, writes, options))
}

async function committed(scope: CommitScope, writes: readonly Write[], options: CommitOptions): Promise<Committed> {
  const { before = [], after = [], returning = true, isBatch = false, isLookedUp = false, types } = options
  const claim = scope.isDryRun ? undefined : takeClaim(scope)
  const slices = sliced(writes)
  const wide = commitWide(slices, isBatch && returning)
  const [check, ...moreChecks] = slices.flatMap(slice => checkOf(scope.org.id, slice, wide, types, isLookedUp))
  const { epoch } = await scope.db.place()
  const clock = tickStatement({ orgId: scope.org.id, more: moreEntities(writes), epoch }, check)
  const first: Statement<unknown>[] = [
    ...(claim ? claimStatements(claim, scope.org.id, scope.now) : []),
    ...before,
    clock,
    ...moreChecks.map(checkStatement),
  ]
  const statements = slices.flatMap(slice => slice.statements(scope, returning))
  const keep = claim
    ? slices.map((slice, at) =>
        keepStatement(
          claim,
          scope.org.id,
          at,
          slice.writes.map(write => write.id),
        ),
      )
    : []
  // The event of a publish comes with the assortment that it changes.
  const written = new Set(writes.filter(isRecorded).map(({ kind }) => kind.name))
  if (!scope.isDryRun && writes.some(({ kind }) => kind.listens)) await scope.keepWatch?.()
  try {
    const alongside = alongsideOf(scope.org.id, writes)
    const end = scope.isDryRun ? [dryRunEnd] : []
    const results = await scope.db.batch([...first, ...statements, ...keep, ...after, ...alongside, ...end])
    const ticked = results[first.indexOf(clock)]
    const clocks = [ticked, ...results.slice(results.length - alongside.length)]
    const isHeard = clocks.some(result => result?.results?.some(row => isListenedTo(row.listensTo, written)))
    if (isHeard) scope.announce?.()
    if (writes.some(write => write.op !== 'delete')) scope.committed?.()
    const read = results.slice(first.length, first.length + statements.length).flatMap(result => result.results ?? [])
    const time = Number(ticked?.results[0]?.time)
    if (isAhead(time)) scope.defer?.(healClock(scope.db, scope.org.id))
    return {
      rows: returning ? rowsOf(scope, writes, slices, read as unknown as EntityRow[], time) : [],
      after: results.slice(first.length + statements.length + keep.length, results.length - alongside.length),
    }
  } catch (error) {
    if (scope.isDryRun && isDryRunEnd(error)) return { rows: [], after: [] }
    if (claim && isClaimed(error)) {
      // The committing worker may have died before it could announce the event.
      if (written.size > 0) scope.announce?.()
      return { rows: await keptRows(scope.db, scope.org.id, claim), after: [] }
    }
    if (claim) scope.idempotency = claim
    throw readRefusal(error, isBatch, types) ?? error
  }
}

function rowsOf(scope: Scope, writes: readonly Write[], slices: readonly Slice[], read: EntityRow[], time: number) {
  const created = slices.flatMap(slice => slice.creates).map(write => createdRow(scope, write, time))
  const byId = new Map([...created, ...read].map(row => [row.id, row]))
  return writes.map(write => byId.get(write.id) ?? null)
}

/** Without listeners, no message is sent (N60). */
function isListenedTo(listensTo: unknown, written: ReadonlySet<string>): boolean {
  if (typeof listensTo !== 'string' || written.size === 0) return false
  return listensTo.split(',').some(name => name === '*' || written.has(name))
}

/** What the types written have declared to go with every write of theirs. */
function alongsideOf(orgId: string, writes: readonly Write[]): Statement[] {
  return [...new Set(writes.map(write => write.kind.alongside))].flatMap(alongside => alongside?.(orgId) ?? [])
}

/** A request's first commit takes the claim; later commits of it must be safe to repeat. */
function takeClaim(scope: CommitScope): Context['idempotency'] {
  const claim = scope.idempotency
  scope.idempotency = undefined
  return claim
}
