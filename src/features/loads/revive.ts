// Loads and reverts that were under way when an archive was made: what they had in hand was not in it. They end, and say how to go on.

import { background } from '../../platform/background.ts'
import type { Org } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { entityOf, type StoredRow, timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { isRefusal } from '../../platform/errors.ts'
import { kindNamed, type Reviving } from '../../platform/kind.ts'

const FAILURE = 'It was under way when the organization was saved, and ended when it was brought back. Start it again.'

/** `told`: how the process says why it failed. */
function endingWith(told: (data: Record<string, unknown>) => Record<string, unknown>): Reviving['act'] {
  return async (env: Env, org: Org, rows: readonly StoredRow[]) => {
    for (const row of rows) {
      const context = background(env, org, { id: row.id, type: 'loader' })
      const patch = { status: 'failed', endedOn: timeText(Date.now()), ...told(entityOf(row)) }
      const write = { op: 'update', kind: kindNamed(row.kind), id: row.id, patch, versions: [row.version] } as const
      await commit(context, [write], { returning: false }).catch(error => {
        // An earlier call has ended it.
        if (!isRefusal(error)) throw error
      })
      await context.settled()
    }
  }
}

const statuses = ['pending', 'running']

const issue = { rowNumber: 1, columnName: null, message: FAILURE, issueType: 'SYSTEM_ERROR', severity: 'error' }

export const endedLoads: Reviving = {
  statuses,
  act: endingWith(({ issues, errorCount }) => ({
    failureArea: 'TRANSFORMING_DATA',
    errorCount: Number(errorCount ?? 0) + 1,
    issues: [issue, ...(Array.isArray(issues) ? issues.slice(0, 99) : [])],
  })),
}

export const endedReverts: Reviving = { statuses, act: endingWith(() => ({ failure: FAILURE })) }
