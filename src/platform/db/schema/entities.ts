// Tables of entities and of their change records. Everything that a caller can change stands in `data`; what is
// searched or must be unique is read out of it by generated columns, so that it can never disagree.
import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ENTITY_MAX_BYTES } from '../../limits.ts'

const read = (column: string, expression: SQL) => text(column).generatedAlwaysAs(expression, { mode: 'virtual' })
const property = (column: string, name: string) => read(column, sql.raw(`(data ->> '$.${name}')`))

/** What statements say after INDEXED BY. */
export const ENTITY_INDEX = {
  id: 'entities_id',
  createdOn: 'entities_created_on',
  updatedOn: 'entities_updated_on',
  name: 'entities_name',
  typePath: 'entities_type_path',
  federatedId: 'entities_federated_id',
  federated: 'entities_federated',
  identifier: 'entities_identifier',
  projectItem: 'entities_project_item',
  assortmentItem: 'entities_assortment_item',
  type: 'entities_type',
  itemFamilyId: 'entities_item_family_id',
  itemId: 'entities_item_id',
  projectId: 'entities_project_id',
  assortmentId: 'entities_assortment_id',
  projectItemId: 'entities_project_item_id',
  workspaceId: 'entities_workspace_id',
  processId: 'entities_process_id',
  eventWorkflowId: 'entities_event_workflow_id',
  triggerKey: 'entities_trigger_key',
  status: 'entities_status',
} as const

/** The constraint that D1 names when an entity has grown too large. */
export const ENTITY_SIZE_CHECK = 'entity_size'

export const entities = sqliteTable(
  'entities',
  {
    /** Commit order: pages and pollers go along it. */
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    orgId: text('org_id').notNull(),
    kind: text().notNull(),
    version: integer().notNull(),
    createdOn: integer('created_on').notNull(),
    updatedOn: integer('updated_on').notNull(),
    createdById: text('created_by_id').notNull(),
    updatedById: text('updated_by_id').notNull(),
    data: text().notNull(),
    typePath: property('type_path', 'typePath'),
    name: property('name', 'name'),
    federatedId: property('federated_id', 'federatedId'),
    /** A custom entity's federatedId is unique within its type path, every other within its entity type. */
    federatedScope: read(
      'federated_scope',
      sql`(CASE kind WHEN 'custom-entity' THEN data ->> '$.typePath' ELSE kind END)`,
    ),
    identifier: property('identifier', 'identifier'),
    itemFamilyId: property('item_family_id', 'itemFamilyId'),
    itemId: property('item_id', 'itemId'),
    projectId: property('project_id', 'projectId'),
    assortmentId: property('assortment_id', 'assortmentId'),
    projectItemId: property('project_item_id', 'projectItemId'),
    workspaceId: property('workspace_id', 'workspaceId'),
    processId: property('process_id', 'processId'),
    eventWorkflowId: property('event_workflow_id', 'eventWorkflowId'),
    triggerKey: property('trigger_key', 'triggerKey'),
    status: property('status', 'status'),
  },
  t => [
    uniqueIndex(ENTITY_INDEX.id).on(t.id),
    index(ENTITY_INDEX.createdOn).on(t.orgId, t.kind, t.createdOn),
    index(ENTITY_INDEX.updatedOn).on(t.orgId, t.kind, t.updatedOn),
    index(ENTITY_INDEX.name).on(t.orgId, t.kind, t.name),
    index(ENTITY_INDEX.typePath).on(t.orgId, t.kind, t.typePath),
    index(ENTITY_INDEX.federatedId).on(t.orgId, t.kind, t.federatedId),
    uniqueIndex(ENTITY_INDEX.federated)
      .on(t.orgId, t.federatedScope, t.federatedId)
      .where(sql`federated_id IS NOT NULL`),
    uniqueIndex(ENTITY_INDEX.identifier).on(t.orgId, t.kind, t.identifier).where(sql`identifier IS NOT NULL`),
    uniqueIndex(ENTITY_INDEX.projectItem).on(t.orgId, t.itemId, t.projectId).where(sql`kind = 'project-item'`),
    uniqueIndex(ENTITY_INDEX.assortmentItem).on(t.orgId, t.itemId, t.assortmentId).where(sql`kind = 'assortment-item'`),
    uniqueIndex(ENTITY_INDEX.type).on(t.orgId, t.typePath).where(sql`kind = 'type'`),
    index(ENTITY_INDEX.itemFamilyId).on(t.orgId, t.kind, t.itemFamilyId).where(sql`item_family_id IS NOT NULL`),
    index(ENTITY_INDEX.itemId).on(t.orgId, t.kind, t.itemId).where(sql`item_id IS NOT NULL`),
    index(ENTITY_INDEX.projectId).on(t.orgId, t.kind, t.projectId).where(sql`project_id IS NOT NULL`),
    index(ENTITY_INDEX.assortmentId).on(t.orgId, t.kind, t.assortmentId).where(sql`assortment_id IS NOT NULL`),
    index(ENTITY_INDEX.projectItemId).on(t.orgId, t.kind, t.projectItemId).where(sql`project_item_id IS NOT NULL`),
    index(ENTITY_INDEX.workspaceId).on(t.orgId, t.kind, t.workspaceId).where(sql`workspace_id IS NOT NULL`),
    index(ENTITY_INDEX.processId).on(t.orgId, t.kind, t.processId).where(sql`process_id IS NOT NULL`),
    index(ENTITY_INDEX.eventWorkflowId)
      .on(t.orgId, t.kind, t.eventWorkflowId)
      .where(sql`event_workflow_id IS NOT NULL`),
    index(ENTITY_INDEX.triggerKey).on(t.orgId, t.kind, t.triggerKey).where(sql`trigger_key IS NOT NULL`),
    index(ENTITY_INDEX.status).on(t.orgId, t.kind, t.status).where(sql`status IS NOT NULL`),
    check(ENTITY_SIZE_CHECK, sql.raw(`octet_length(data) <= ${ENTITY_MAX_BYTES}`)),
  ],
)

/** The columns that are read out of `data`, each named as the property it holds. */
export type PropertyColumn =
  | 'typePath'
  | 'name'
  | 'federatedId'
  | 'identifier'
  | 'itemFamilyId'
  | 'itemId'
  | 'projectId'
  | 'assortmentId'
  | 'projectItemId'
  | 'workspaceId'
  | 'processId'
  | 'eventWorkflowId'
  | 'triggerKey'
  | 'status'

export type StoredColumns = typeof entities.$inferSelect

export const CHANGE_INDEX = {
  org: 'changes_org',
  entityType: 'changes_entity_type',
  entity: 'changes_entity',
  createdOn: 'changes_created_on',
  unloaded: 'changes_unloaded',
} as const

const record = () => ({
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  orgId: text('org_id').notNull(),
  entityType: text('entity_type').notNull(),
  entityId: text('entity_id').notNull(),
  changeType: text('change_type', { enum: ['create', 'update', 'delete'] }).notNull(),
  createdOn: integer('created_on').notNull(),
  createdById: text('created_by_id').notNull(),
  createdByType: text('created_by_type').notNull(),
  version: integer().notNull(),
  /** An update holds its differences, a create the first state, a delete the last; reading expands them (N22). */
  detail: text().notNull(),
  /** How deep in a chain of workflows the caller stood, where one of our own calls came back to us (N68). */
  chainDepth: integer('chain_depth'),
})

export const changes = sqliteTable('changes', record(), t => [
  index(CHANGE_INDEX.org).on(t.orgId),
  index(CHANGE_INDEX.entityType).on(t.orgId, t.entityType),
  index(CHANGE_INDEX.entity).on(t.orgId, t.entityType, t.entityId),
  index(CHANGE_INDEX.createdOn).on(t.orgId, t.createdOn),
  // Workflows that did not ask for loads go along this one: a load of any size costs them nothing.
  index(CHANGE_INDEX.unloaded).on(t.orgId).where(sql`created_by_type <> 'loader'`),
])

export const UNRECORDED_INDEX = {
  entity: 'unrecorded_entity',
  maker: 'unrecorded_maker',
  createdOn: 'unrecorded_created_on',
} as const

/** What a load wrote without change records: no history shows it, but the load can be taken back (N52). */
export const unrecordedChanges = sqliteTable('unrecorded_changes', record(), t => [
  index(UNRECORDED_INDEX.entity).on(t.orgId, t.entityType, t.entityId),
  index(UNRECORDED_INDEX.maker).on(t.orgId, t.createdById),
  index(UNRECORDED_INDEX.createdOn).on(t.createdOn),
])

/** The newest commit time of each organization; no later commit gets an earlier one (N23). */
export const clocks = sqliteTable('clocks', {
  orgId: text('org_id').primaryKey(),
  time: integer().notNull(),
  /** Change records up to here have been swept; a sync key from before has expired (N25). */
  historyFloor: integer('history_floor').notNull().default(0),
  /** Change records up to here are in files (N58). */
  filedSeq: integer('filed_seq').notNull().default(0),
  /** The newest record of a type that is not among the others any more: the stamp of the types, where none of them is (N21). */
  typesSeq: integer('types_seq').notNull().default(0),
  /** The change record up to which events were dispatched to workflows and endpoints; none: no listeners. */
  dispatchedSeq: integer('heard_seq'),
  /** The entity types that have listeners, separated by commas; `*`: all of them. */
  listensTo: text('listens_to'),
  /** How many entities there are, of the types that have change records. */
  entities: integer().notNull().default(0),
  /** The quotas that the operator has set, by name, as JSON (N60). */
  quotas: text(),
  /** Counts commits: a reader that finds it unchanged has read one state (N63). */
  commits: integer().notNull().default(0),
  /** The fence (N56): what is written under another epoch, or while it is not open, is refused whole. */
  state: text({ enum: ['open', 'moving', 'moved'] })
    .notNull()
    .default('open'),
  epoch: integer().notNull().default(1),
  /** The last step of a move that has written here; an earlier one that comes late is refused (N57). */
  moveStep: integer('move_step').notNull().default(0),
})

/** A POST that was answered under an Idempotency-Key (N18). */
export const idempotency = sqliteTable(
  'idempotency',
  {
    credentialId: text('credential_id').notNull(),
    key: text().notNull(),
    orgId: text('org_id').notNull(),
    /** Of method, path and body: the same key with another request is refused. */
    digest: text().notNull(),
    createdOn: integer('created_on').notNull(),
  },
  t => [primaryKey({ columns: [t.credentialId, t.key] }), index('idempotency_created_on').on(t.createdOn)],
)

/** The rows that it wrote, as they were then, in pieces that fit into a value each. */
export const idempotencyRows = sqliteTable(
  'idempotency_rows',
  {
    credentialId: text('credential_id').notNull(),
    key: text().notNull(),
    slice: integer().notNull(),
    orgId: text('org_id').notNull(),
    rows: text().notNull(),
  },
  t => [primaryKey({ columns: [t.credentialId, t.key, t.slice] })],
)
