// Mutants that survive and may: what is changed, in which file, and why no test can or should notice it. The text of `change` is
// as the command prints it, so that an entry lives as long as the line does.

export interface Accepted {
  file: string
  change: string
  reason: string
}

const UNUSED = 'Equivalent: a value that is absent stands in no statement; null is only what its type asks for.'
const UNNAMED = 'Equivalent: there is a name for each; the default is only what the type asks for.'
const SIZE = 'Speed alone: on both sides of the bound the same is read, at once or by a second statement.'

export const ACCEPTED: readonly Accepted[] = [
  ...['afterSeq', 'createdOn?.[0]', 'createdOn?.[1]', 'entity?.type', 'entity?.id'].map((value, at) => ({
    file: 'src/features/history/store.ts',
    change: `${value} ?? null → ${value} in ${['afterSeq', 'first', 'last', 'type', 'id'][at]}: «${value} ?? null»,`,
    reason: UNUSED,
  })),
  {
    file: 'src/features/history/unread-store.ts',
    change: 'window?.at ?? undefined → window?.at in windowEnd: «window?.at ?? undefined»,',
    reason: 'Equivalent: who reads it takes null and undefined alike (`windowEnd ?? from`).',
  },
  {
    file: 'src/features/outbound/sign.ts',
    change:
      "false → true in const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, «false», ['sign'])",
    reason: 'Equivalent: whether a key that never leaves the function may be exported shows nowhere.',
  },
  {
    file: 'src/features/loads/drafts/assortment-split.ts',
    change: "if (!table.isPartial) return 'add' → ; in «if (!table.isPartial) return 'add'»",
    reason: 'Equivalent: a configuration that is not partial names neither column (rules.ts); then every row adds.',
  },
  {
    file: 'src/features/loads/drafts/draft-packing.ts',
    change: '!== → === in if (slug «!==» known || make[slug] !== (value === 0 ? key : value)) return false',
    reason: 'Speed alone: what is not found like the last one is looked up among all, with the same result.',
  },
  {
    file: 'src/features/loads/csv/splitter.ts',
    change: '2 → 3 in const larger = new Uint8Array(Math.max(needed, this.#buffer.length * «2»))',
    reason: 'Speed alone: how much room a buffer gets beyond what is needed.',
  },
  ...['16 → 17 in const DATA_MAX_BYTES = «16» * 1024', '1024 → 1025 in const DATA_MAX_BYTES = 16 * «1024»'].map(
    change => ({ file: 'src/features/loads/store/existing.ts', change, reason: SIZE }),
  ),
  {
    file: 'src/platform/db/commit/commit.ts',
    change:
      'some → every in const isListenedTo = clocks.some(result => result?.results?.«some»(row => row.dispatchedSeq != null))',
    reason: 'Equivalent: the statements that move the clock answer exactly one row.',
  },
  {
    file: 'src/platform/db/commit/commit.ts',
    change:
      'results.slice(results.length - alongside.length) → results in const clocks = [ticked, ...«results.slice(results.length - alongside.length)»]',
    reason: 'Equivalent: no other statement of a commit answers with the column that is looked for.',
  },
  {
    file: 'src/features/loads/drafts/row-values.ts',
    change: 'known.set(plan, groups) → ; in «known.set(plan, groups)»',
    reason: 'Speed alone: what is not known is made again, the same.',
  },
  {
    file: 'src/features/loads/csv/splitter.ts',
    change: 'false → true in #hasQuotes = «false»',
    reason: 'Speed alone: rows without quotes are read by the slower way, with the same result.',
  },
  {
    file: 'src/features/backup/store/restores.ts',
    change: 'forgetPlace(orgId) → ; in «forgetPlace(orgId)»',
    reason: 'Speed alone: whoever goes to the old place is refused by its epoch, and looks again.',
  },
  {
    file: 'src/features/types/store.ts',
    change:
      '(await db.first(readStamp({ orgId })))?.stamp ?? 0 → (await db.first(readStamp({ orgId })))?.stamp in return «(await db.first(readStamp({ orgId })))?.stamp ?? 0»',
    reason: 'Equivalent: the statement always answers one row.',
  },
  {
    file: 'src/features/workflows/quota-store.ts',
    change: `< → <= in AND \${e.kind} = \${kind} AND \${e.federatedId} >= \${refusedFrom} AND \${e.federatedId} «<» \${refusedTo} AND \${e.createdOn} > \${since})\``,
    reason: 'Equivalent: the end is the beginning of no key, and no key by itself.',
  },
  {
    file: 'src/platform/db/positions.ts',
    change: "=== → !== in const values = needed.map(([, { dataType }]) => (dataType «===» 'string' ? text : 0))",
    reason: 'Equivalent: the table takes both in either column, and the row is gone in the same transaction.',
  },
  {
    file: 'src/features/workflows/task/task-object.ts',
    change: '>= → > in return state.deadline === null && now «>=» forgetOn(state)',
    reason: 'Equivalent but for a millisecond: the alarm of that moment comes once more.',
  },
  {
    file: 'src/features/entities/list-sql.ts',
    change:
      "String(value) : value → value : String(value) in return typeof value === 'boolean' ? «String(value) : value»",
    reason: 'Equivalent: a column that is walked holds texts, and a criterion of another sort never leads the way.',
  },
  {
    file: 'src/features/loads/phases/write-plan.ts',
    change: 'some → every in return !Array.isArray(stored) || roles.«some»(role => !stored.includes(role))',
    reason: 'Equivalent: what a load makes has one role.',
  },
  {
    file: 'src/features/loads/phases/write-plan.ts',
    change: `if (!this.#rules.isDryRun) throw new Error(\`the item \${key} of this load is gone → ; in «if (!this.#rules.isDryRun) throw new Error(\`the item \${key} of this load is gone»`,
    reason: 'Equivalent: what goes on refers to an item that is not there, and the commit refuses it.',
  },
  {
    file: 'src/features/loads/preview.ts',
    change: "'' → 'x' in name: STEPS[at] ?? «''»,",
    reason: UNNAMED,
  },
  {
    file: 'src/features/members/store.ts',
    change:
      "'admin' → '' in .where(and(isMember(orgId, userId), role === «'admin'» ? undefined : leavesAnAdmin(orgId)))",
    reason: 'Equivalent: whoever makes somebody an admin is one.',
  },
  {
    file: 'src/features/moves/store/moves.ts',
    change: `= → <> in statement(sql\`DELETE FROM \${oldCopies} WHERE \${oldCopies.orgId} = \${orgId} AND \${oldCopies.database} «=» \${target}`,
    reason:
      'Equivalent: a sweep clears only a copy whose own clock says that it has moved away, and forgets it otherwise.',
  },
  {
    file: 'src/features/invitations/store.ts',
    change: "'open' → '' in .select({ open: sql<number>`count(*)`.as(«'open'») })",
    reason: 'Equivalent: the name of a column inside a condition that nobody reads.',
  },
  {
    file: 'src/features/operator/status-store.ts',
    change: 'letters?.oldest ?? null → letters?.oldest in oldestDeadLetter: «letters?.oldest ?? null»,',
    reason: 'Equivalent: an aggregate always has its row, and no letters have no oldest one: null.',
  },
  {
    file: 'src/features/moves/store/rows.ts',
    change: '>= → > in const isCut = last !== undefined && last.bytes «>=» SLICE_BYTES',
    reason: 'Speed alone: rows of exactly that size are read again, and found to be there.',
  },
]
