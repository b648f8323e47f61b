// Words and spans that several forms offer. Pure.
import type { Endpoint } from '../../typescript/index.ts'

export const TIERS = ['standard', 'high', 'internal'] as const
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 86_400

/** How long a secret that was replaced goes on working. */
export const OVERLAPS = [
  [0, 'not at all'],
  [HOUR_SECONDS, 'for an hour'],
  [DAY_SECONDS, 'for a day'],
  [7 * DAY_SECONDS, 'for a week'],
  [30 * DAY_SECONDS, 'for 30 days'],
] as const

/** Who may call an endpoint. */
export const ALLOWED_FOR: Record<Endpoint['allowedFor'], string> = {
  both: 'events and workflows',
  events: 'events alone',
  workflows: 'workflows alone',
}
