// What goes through the queues: a kind and ids, never data.
import * as z from 'zod'

const Id = z.string().min(1).max(64)
const OfOrganization = z.strictObject({ orgId: Id })

export const WakeUp = z.discriminatedUnion('kind', [
  /** The first job of a lane goes on. */
  OfOrganization.extend({ kind: z.literal('job'), lane: Id }),
  /** The same of loads, as earlier releases have sent it and watches still hold it. */
  OfOrganization.extend({ kind: z.literal('loads') }),
  /** There are events to dispatch. */
  OfOrganization.extend({ kind: z.literal('events') }),
  /** The organization is looked after. */
  OfOrganization.extend({ kind: z.literal('recover') }),
  /** The same, as earlier releases have sent it and watches still hold it. */
  OfOrganization.extend({ kind: z.literal('patrol') }),
  /** A run moves on. */
  OfOrganization.extend({ kind: z.literal('process'), id: Id }),
  /** The next task of a run calls an endpoint outside. */
  OfOrganization.extend({ kind: z.literal('call'), id: Id }),
  /** It is the hour for the organization's backup. */
  OfOrganization.extend({ kind: z.literal('begin-backup') }),
  /** The backup of the organization goes on, as earlier releases have sent it. */
  OfOrganization.extend({ kind: z.literal('backup') }),
  /** The move of the organization goes on, as earlier releases have sent it. */
  OfOrganization.extend({ kind: z.literal('move') }),
  /** A delivery is tried. */
  OfOrganization.extend({ kind: z.literal('delivery'), id: Id }),
])
export type WakeUp = z.output<typeof WakeUp>

/** One of the cron's sweeps is due. */
export const SweepMessage = z.strictObject({ kind: z.literal('sweep'), sweep: z.string().max(64), on: z.int() })
export type SweepMessage = z.output<typeof SweepMessage>
