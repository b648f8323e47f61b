// How far the reading of an organization has come. It travels with the caller as an opaque key, so that a backup goes on after any
// interruption without anything being kept here. Pure.
import * as z from 'zod'
import type { ArchivedName } from './store/archived-tables.ts'

const Place = z.array(z.union([z.string(), z.number()])).max(4)
export type Place = z.output<typeof Place>

const Seqs = z.record(z.string().max(40), z.int())

export const Cursor = z.strictObject({
  /** Counts up when a key of an earlier release means something else. */
  form: z.literal(1),
  begunOn: z.int(),
  /** Of the place that it is read at. */
  epoch: z.int(),
  /** The present pass over what commits write: which it is, when it began, and where the clock stood then. */
  pass: z.int().min(1),
  passOn: z.int(),
  commits: z.int(),
  time: z.int(),
  /** Entities that were written since then are read by passes after the first. */
  since: z.int(),
  stage: z.string().max(60),
  place: Place.nullable(),
  /** In passes after the first: of each entity type, how far they have been read. */
  kinds: z.record(z.string().max(40), Place),
  /** The last row read of what is only ever added to, and the last deletion told. */
  seqs: Seqs,
  /** The highest place of each table that was read. */
  highest: Seqs,
  part: z.int().min(0),
  digest: z.string().max(64),
})
export type Cursor = z.output<typeof Cursor>

/** What commits write, entity types first. */
export const LIVE = ['changes', 'unrecorded', 'publishes'] as const satisfies ArchivedName[]
/** What is read once the rest is in one state: settings, people and logs. */
export const LATE = [
  'members',
  'credentials',
  'invitations',
  'signOns',
  'identityProviders',
  'endpoints',
  'webhookSecrets',
  'publishedEvents',
  'deliveries',
  'audit',
] as const satisfies ArchivedName[]

export const FOLLOW = 'follow'
export const SETTINGS = 'settings'
export const END = 'end'

export const kindStage = (kind: string) => `entities:${kind}`
export const kindOf = (stage: string) => (stage.startsWith('entities:') ? stage.slice('entities:'.length) : undefined)

export function stagesOf(kinds: readonly string[]): string[] {
  return [...kinds.map(kindStage), ...LIVE, FOLLOW, SETTINGS, ...LATE, END]
}

export function nextStage(stages: readonly string[], stage: string): string {
  return stages[stages.indexOf(stage) + 1] ?? END
}

/** The rows that a table has given so far reach up to here. */
export function raised(highest: Cursor['highest'], name: ArchivedName, rows: readonly { seq?: unknown }[]) {
  const seqs = rows.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []))
  return seqs.length ? { ...highest, [name]: Math.max(highest[name] ?? 0, ...seqs) } : highest
}
