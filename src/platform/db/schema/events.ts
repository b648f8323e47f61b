// Events on their way to workflows and endpoints, the endpoints themselves, and what was delivered to them. Changes of
// entities need no table of their own: their records are the outbox, and `clocks.dispatchedSeq` is how far it was read.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Events that are no change of an entity, such as `assortment|publish`; dispatching one removes it. */
export const publishedEvents = sqliteTable(
  'published_events',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    triggerKey: text('trigger_key').notNull(),
    event: text().notNull(),
    createdById: text('created_by_id').notNull(),
    createdOn: integer('created_on').notNull(),
    /** As with changes (N68). */
    chainDepth: integer('chain_depth'),
  },
  t => [uniqueIndex('published_events_id').on(t.id), index('published_events_org').on(t.orgId)],
)

/** Addresses outside that the operator configured (N41). */
export const endpoints = sqliteTable(
  'endpoints',
  {
    orgId: text('org_id').notNull(),
    name: text().notNull(),
    url: text().notNull(),
    /** JSON list of trigger keys that are delivered to it. */
    events: text().notNull(),
    includeLoads: integer('include_loads', { mode: 'boolean' }).notNull(),
    authKind: text('auth_kind', { enum: ['header', 'hmac', 'allowlist'] }).notNull(),
    headerName: text('header_name'),
    /** The header's value or the HMAC secret, encrypted. */
    sealedSecret: text('sealed_secret'),
    /** The HMAC secret before it, encrypted: calls are signed with both until then. */
    sealedOldSecret: text('sealed_old_secret'),
    oldSecretUntil: integer('old_secret_until'),
    /** Who may call it: deliveries of events, tasks of workflows, or both. */
    allowedFor: text('allowed_for', { enum: ['events', 'workflows', 'both'] })
      .notNull()
      .default('both'),
    /** Base address of the API as the operator called it: callback addresses begin with it. */
    baseUrl: text('base_url').notNull(),
    createdOn: integer('created_on').notNull(),
    updatedOn: integer('updated_on').notNull(),
    /** The newest change record when `includeLoads` was switched on: changes of earlier loads are not sent. */
    loadsAfterSeq: integer('loads_after_seq').notNull().default(0),
  },
  t => [primaryKey({ columns: [t.orgId, t.name] })],
)

/** What statements say after INDEXED BY. */
export const DELIVERY_INDEX = {
  id: 'deliveries_id',
  endpoint: 'deliveries_endpoint',
  status: 'deliveries_status',
  due: 'deliveries_due',
  createdOn: 'deliveries_created_on',
} as const

export const deliveries = sqliteTable(
  'deliveries',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Also the `webhook-id` of every try. */
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    endpointName: text('endpoint_name').notNull(),
    triggerKey: text('trigger_key').notNull(),
    payload: text().notNull(),
    status: text({ enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer().notNull(),
    /** No try begins earlier; a try under way has it moved forward. */
    dueOn: integer('due_on').notNull(),
    /** When trying ends; counted from the first try. */
    endsOn: integer('ends_on').notNull(),
    responseStatus: integer('response_status'),
    error: text(),
    createdOn: integer('created_on').notNull(),
    endedOn: integer('ended_on'),
    /** How deep in a chain of workflows the event was caused (N68). */
    depth: integer().notNull().default(0),
  },
  t => [
    uniqueIndex(DELIVERY_INDEX.id).on(t.id),
    index(DELIVERY_INDEX.endpoint).on(t.orgId, t.endpointName),
    index(DELIVERY_INDEX.status).on(t.orgId, t.endpointName, t.status),
    index(DELIVERY_INDEX.due).on(t.orgId, t.status, t.dueOn),
    index(DELIVERY_INDEX.createdOn).on(t.createdOn),
  ],
)

/** Digests of the secrets in trigger addresses of webhooks. */
export const webhookSecrets = sqliteTable(
  'webhook_secrets',
  {
    digest: text().primaryKey(),
    orgId: text('org_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [index('webhook_secrets_org').on(t.orgId)],
)

/** Wake-ups that were tried too often, for the operator to look at and to send again. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Of the message: one that comes twice is one row. */
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    /** As it went through the queue. */
    wakeUp: text('wake_up').notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [
    uniqueIndex('dead_letters_id').on(t.id),
    index('dead_letters_org').on(t.orgId),
    index('dead_letters_created_on').on(t.createdOn),
  ],
)
