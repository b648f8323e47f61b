// What the queues gave up: kept, listed, sent again.
import * as z from 'zod'
import type { OpenContext } from '../../platform/context.ts'
import { count } from '../../platform/counters.ts'
import { timeText } from '../../platform/db/row.ts'
import type { Env } from '../../platform/env.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { DEAD_LETTER_RETENTION_DAYS } from '../../platform/limits.ts'
import { keysetPage, type PageRequest } from '../../platform/paging/keyset.ts'
import { sendWakeUp } from '../../platform/wake/message.ts'
import { WakeUp } from '../../platform/wake/wake-up.ts'
import {
  findDeadLetter,
  keepDeadLetter,
  removeDeadLetter,
  removeDeadLettersBefore,
  selectDeadLetters,
} from './dead-letters-store.ts'

const DAY_MS = 86_400_000
const ROWS_A_SWEEP = 5000

export async function bury(env: Env, id: string, wakeUp: WakeUp, now: number): Promise<void> {
  await keepDeadLetter(env, { id, orgId: wakeUp.orgId, wakeUp: JSON.stringify(wakeUp), createdOn: now })
  count(env, 'dead_letter', wakeUp.orgId, { labels: [wakeUp.kind] })
}

type Listed = Awaited<ReturnType<typeof selectDeadLetters>>[number]

function shown({ id, orgSlug, wakeUp, createdOn }: Listed) {
  // Another release may have known kinds that this one does not.
  const { kind, id: subjectId = null } = JSON.parse(wakeUp) as { kind: string; id?: string }
  return { id, organization: orgSlug, kind, subjectId, createdOn: timeText(createdOn) }
}

export function listDeadLetters({ env }: OpenContext, page: PageRequest) {
  return keysetPage(
    {
      belongsTo: 'dead letters',
      place: z.tuple([z.number()]),
      placeOf: ({ seq }: Listed) => [seq],
      read: (after, limit) => selectDeadLetters(env, after?.[0], limit),
      show: shown,
    },
    page,
  )
}

/** Sent first: dying in between sends it twice, which every message bears. */
export async function replayDeadLetter({ env }: OpenContext, id: string): Promise<void> {
  const found = await findDeadLetter(env, id)
  if (!found) throw notFound()
  const wakeUp = WakeUp.safeParse(JSON.parse(found.wakeUp))
  if (!wakeUp.success) throw new Fault('conflict', 'This release does not know the kind of this wake-up.')
  await sendWakeUp(env, wakeUp.data)
  await removeDeadLetter(env, id)
}

export function sweepDeadLetters(env: Env, now: number): Promise<void> {
  return removeDeadLettersBefore(env, now - DEAD_LETTER_RETENTION_DAYS * DAY_MS, ROWS_A_SWEEP)
}
