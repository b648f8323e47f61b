// What an archive holds of each table (N63), and along which index an organization's rows are read. What is not named here does not
// travel: sessions, tickets and idempotency keys are short-lived, work of loads under way and uploads in parts begin anew, and the
// search index is made again.
import { getTableColumns, ne, type SQL, sql } from 'drizzle-orm'
import {
  CHANGE_INDEX,
  changes,
  ENTITY_INDEX,
  entities,
  UNRECORDED_INDEX,
  unrecordedChanges,
} from '../../../platform/db/schema/entities.ts'
import {
  DELIVERY_INDEX,
  deliveries,
  endpoints,
  publishedEvents,
  webhookSecrets,
} from '../../../platform/db/schema/events.ts'
import { publishes } from '../../../platform/db/schema/loads.ts'
import * as organizationTables from '../../../platform/db/schema/organizations.ts'
import { credentials, memberships } from '../../../platform/db/schema/organizations.ts'
import * as peopleTables from '../../../platform/db/schema/people.ts'
import { audit, identityProviders, invitations, signOns } from '../../../platform/db/schema/people.ts'
import { indexedBy } from '../../../platform/db/sql.ts'
import type { OrganizationTable } from '../../../platform/db/tables.ts'

export interface Archived {
  table: OrganizationTable
  /** What rows are ordered by behind the organization; the last tells one row from all others. */
  order: readonly SQL[]
  index?: SQL
  /** Roughly, in bytes. */
  size: SQL
  where?: SQL
}

/** Of a row that holds nothing long. */
const SHORT = sql`500`

const rowid = (table: OrganizationTable) => sql`${table}.rowid`
const octets = (column: SQL | typeof entities.data) => sql`octet_length(${column})`

export const ARCHIVED = {
  entities: {
    table: entities,
    order: [sql`${entities.createdOn}`, rowid(entities)],
    index: indexedBy(ENTITY_INDEX.createdOn),
    size: octets(entities.data),
  },
  changes: {
    table: changes,
    order: [rowid(changes)],
    index: indexedBy(CHANGE_INDEX.org),
    size: octets(sql`${changes.detail}`),
  },
  unrecorded: {
    table: unrecordedChanges,
    order: [sql`${unrecordedChanges.createdById}`, rowid(unrecordedChanges)],
    index: indexedBy(UNRECORDED_INDEX.maker),
    size: octets(sql`${unrecordedChanges.detail}`),
  },
  publishes: { table: publishes, order: [sql`${publishes.assortmentId}`, rowid(publishes)], size: SHORT },
  members: { table: memberships, order: [sql`${memberships.userId}`], size: SHORT },
  credentials: {
    table: credentials,
    order: [sql`${credentials.kind}`, sql`${credentials.createdOn}`, rowid(credentials)],
    size: SHORT,
    where: ne(credentials.kind, 'session'),
  },
  invitations: { table: invitations, order: [sql`${invitations.createdOn}`, rowid(invitations)], size: SHORT },
  signOns: { table: signOns, order: [sql`${signOns.issuer}`, sql`${signOns.subject}`], size: SHORT },
  identityProviders: { table: identityProviders, order: [rowid(identityProviders)], size: SHORT },
  endpoints: { table: endpoints, order: [sql`${endpoints.name}`], size: octets(sql`${endpoints.events}`) },
  webhookSecrets: { table: webhookSecrets, order: [rowid(webhookSecrets)], size: SHORT },
  publishedEvents: {
    table: publishedEvents,
    order: [rowid(publishedEvents)],
    size: octets(sql`${publishedEvents.event}`),
  },
  deliveries: {
    table: deliveries,
    order: [sql`${deliveries.endpointName}`, rowid(deliveries)],
    index: indexedBy(DELIVERY_INDEX.endpoint),
    size: octets(sql`${deliveries.payload}`),
  },
  audit: { table: audit, order: [sql`${audit.createdOn}`, rowid(audit)], size: octets(sql`${audit.detail}`) },
} as const satisfies Record<string, Archived>

export type ArchivedName = keyof typeof ARCHIVED

export const archived = (name: ArchivedName): Archived => ARCHIVED[name]

/** The columns that travel, by their names in the schema: the organization is known, and what is read out of others is made again. */
export function archivedColumns(name: ArchivedName): string[] {
  return Object.entries(getTableColumns(archived(name).table))
    .filter(([column, { generated }]) => column !== 'orgId' && generated === undefined)
    .map(([column]) => column)
}

/** Tables whose rows have a place in an order of their own: pages and pollers go along it. */
export const ORDERED = (Object.keys(ARCHIVED) as ArchivedName[]).filter(name => archivedColumns(name).includes('seq'))

/** Of the directory's tables: they are there, wherever the organization's data is (N56). */
export const isInDirectory = (name: ArchivedName) =>
  ([...Object.values(organizationTables), ...Object.values(peopleTables)] as unknown[]).includes(archived(name).table)

/** For columns that are younger than an archive. */
export function archivedDefaults(name: ArchivedName): Record<string, unknown> {
  const columns = Object.entries(getTableColumns(archived(name).table))
  return Object.fromEntries(columns.flatMap(([column, { default: value }]) => (value == null ? [] : [[column, value]])))
}
