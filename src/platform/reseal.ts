const ROWS_A_SWEEP = 100

/** Seals rows anew, a bounded number in one sweep. Rows that no key opens are found each time; they do not hold up the rows behind them. */
export async function resealRows<Row extends { orgId: string }>(
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
  reseal: (row: Row) => Promise<void>,
): Promise<void> {
  let left = ROWS_A_SWEEP
  let rows: Row[] = []
  do {
    rows = await read(rows.at(-1), ROWS_A_SWEEP)
    for (const row of rows) {
      if (left === 0) return
      try {
        await reseal(row)
        left--
      } catch (error) {
        console.error('a secret of', row.orgId, 'is not sealed anew', error)
      }
    }
  } while (rows.length === ROWS_A_SWEEP)
}
