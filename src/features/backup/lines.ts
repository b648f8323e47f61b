// Lines of an archive: a JSON object each, told apart by `table`. A page of them ends with a mark that says where to go on and holds
// the digest of everything so far. Pure but for the digest.
import * as z from 'zod'
import type { clocks } from '../../platform/db/schema/entities.ts'
import type { orgs } from '../../platform/db/schema/organizations.ts'
import type { RowOf } from '../../platform/db/sql.ts'
import { digestOf } from '../../platform/digest.ts'

/** Counted up when earlier releases could not read it. */
export const FORMAT = 1

export type Line = { table: string } & Record<string, unknown>

/** What secrets an archive holds: none; as they are sealed here, and digests of passwords; or opened, which is for encrypted ones. */
export const Secrets = z.enum(['without', 'sealed', 'open'])
export type Secrets = z.output<typeof Secrets>

export const Mark = z.strictObject({
  table: z.literal('mark'),
  /** The number of its page, from 0 on. */
  part: z.int().min(0),
  /** Of the digest before it and the text of its page. */
  digest: z.string().max(64),
  /** None: this was the last page. */
  after: z.string().max(4096).nullable(),
  /** Files of the page whose contents belong behind it. */
  files: z.array(z.strictObject({ id: z.string(), size: z.int().min(0) })).optional(),
})
export type Mark = z.output<typeof Mark>

export const End = z.strictObject({
  table: z.literal('end'),
  format: z.literal(FORMAT),
  organizationId: z.string().max(64),
  slug: z.string().max(63),
  parts: z.int().min(1),
  highest: z.record(z.string().max(40), z.int().min(0)),
})
export type End = z.output<typeof End>

const Time = z.int().min(0)

/** Where the clock stood, with what stands beside it. */
export const Clock = z.strictObject({
  table: z.literal('clock'),
  time: Time,
  historyFloor: Time,
  dispatchedSeq: Time.nullable(),
  listensTo: z.string().nullable(),
  entities: z.int(),
  quotas: z.string().nullable(),
  commits: Time,
})
export type Clock = z.output<typeof Clock>

export const Organization = z.strictObject({
  table: z.literal('organization'),
  name: z.string().max(200),
  tier: z.enum(['standard', 'high', 'internal']),
  createdOn: Time,
  suspendedOn: Time.nullable(),
  historyRetentionDays: z.int().nullable(),
  historyArchiveDays: z.int().optional(),
})
export type Organization = z.output<typeof Organization>

/** Where the organization is, and in which form its records are kept, is not told. */
export function clockLine({
  orgId: _,
  state,
  epoch,
  moveStep,
  filedSeq,
  typesSeq,
  ...told
}: RowOf<typeof clocks>): Line {
  return { table: 'clock', ...told }
}

export function organizationLine(row: RowOf<typeof orgs>): Line {
  const { name, tier, createdOn, suspendedOn, historyRetentionDays, historyArchiveDays } = row
  const told = { table: 'organization', name, tier, createdOn, suspendedOn, historyRetentionDays }
  // Releases before this one read archives without it.
  return historyArchiveDays === null ? told : { ...told, historyArchiveDays }
}

const Archive = z.strictObject({
  table: z.literal('archive'),
  format: z.literal(FORMAT),
  organizationId: z.string().max(64),
  slug: z.string().max(63),
  begunOn: Time,
  secrets: Secrets,
})

/** Lines that tell of the whole, and what each looks like. */
export const TOLD = { archive: Archive, organization: Organization, clock: Clock, end: End }

export const Deleted = z.strictObject({ table: z.literal('deleted'), kind: z.string(), id: z.string().max(64) })

export const textOf = (lines: readonly Line[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

export function chained(before: string, text: string): Promise<string> {
  return digestOf(`${before}\n${text}`)
}
