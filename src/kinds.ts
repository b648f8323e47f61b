// THE TABLE: one row for each entity type. A type that differs from the others says so here, and nowhere else.
import * as z from 'zod'
import { listenStatements } from './features/history/outbox-store.ts'
import { typeFields } from './features/types/contract.ts'
import { processFields, taskFields } from './features/workflows/contract.ts'
import { webhookFields, workflowFields, workflowRules } from './features/workflows/definition.ts'
import type { PropertyColumn } from './platform/db/schema/entities.ts'
import { type EntityOperation, type Kind, type KindRow, kindTable, type Reference } from './platform/kind.ts'
import { KEY_TEXT_MAX_LENGTH, SIZES_MAX } from './platform/limits.ts'

const ALL: readonly EntityOperation[] = ['get', 'list', 'create', 'update', 'delete']
const WRITE: readonly EntityOperation[] = ['create', 'update', 'delete']
const READ: readonly EntityOperation[] = ['get', 'list']

const Id = z.string().min(1).max(64)
const Text = z.string().max(KEY_TEXT_MAX_LENGTH)
const ColorPart = z.int().min(0).max(255)

const reference = (field: PropertyColumn, target: string): Reference => ({
  field,
  target,
  relation: field.slice(0, -'Id'.length),
})

const row = (name: string, path: string, about: string, own: Partial<KindRow> = {}): KindRow => ({
  name,
  path,
  about,
  fields: {},
  readOnly: [],
  references: [],
  federatedScope: 'kind',
  ownRoot: true,
  recorded: true,
  operations: ALL,
  ...own,
})

export const KINDS: readonly Kind[] = kindTable([
  row('item', 'items', 'Products and materials: families and their options.', {
    fields: {
      roles: z
        .array(z.enum(['family', 'option']))
        .max(2)
        .optional(),
      itemFamilyId: Id.optional(),
      optionGroup: Text.optional(),
      optionName: Text.optional(),
    },
    // An item with a family is an option, its family is a family (N73).
    references: [{ ...reference('itemFamilyId', 'item'), isFlat: true }],
    rules: ({ itemFamilyId, roles }) =>
      itemFamilyId != null && Array.isArray(roles) && roles.includes('family')
        ? [{ path: '/roles', message: 'An item with a family is an option: its roles cannot include family.' }]
        : [],
  }),
  row('project-item', 'project-items', 'The data of an item in one project, such as a season.', {
    fields: { itemId: Id, projectId: Id },
    references: [reference('itemId', 'item'), reference('projectId', 'project')],
    uniqueBy: ['itemId', 'projectId'],
  }),
  row('assortment-item', 'assortment-items', 'The membership of an item in an assortment.', {
    fields: { itemId: Id, assortmentId: Id, projectItemId: Id.optional() },
    references: [
      reference('itemId', 'item'),
      reference('assortmentId', 'assortment'),
      reference('projectItemId', 'project-item'),
    ],
    uniqueBy: ['itemId', 'assortmentId'],
  }),
  row('assortment', 'assortments', 'A selection of items in a workspace, or a composite of other assortments.', {
    fields: { workspaceId: Id.optional(), memberAssortmentIds: z.array(Id).max(1000).optional() },
    readOnly: ['summary'],
    references: [
      reference('workspaceId', 'workspace'),
      { field: 'memberAssortmentIds', target: 'assortment', list: true, relation: 'memberAssortments' },
    ],
  }),
  row('project', 'projects', 'A season or another undertaking that items are developed for.'),
  row('workspace', 'workspaces', 'A place of work in a project; loads name it by its identifier.', {
    fields: { projectId: Id.optional() },
    references: [reference('projectId', 'project')],
  }),
  row('color', 'colors', 'A color with its hex and RGB values.', {
    fields: {
      hex: z
        .string()
        .regex(/^#?[0-9a-fA-F]{6}$/, 'Expected six hexadecimal digits, with or without #.')
        .optional(),
      red: ColorPart.optional(),
      green: ColorPart.optional(),
      blue: ColorPart.optional(),
    },
  }),
  row('custom-entity', 'custom-entities', 'An instance of a type of your own.', { federatedScope: 'typePath' }),
  row('size-range-template', 'size-range-templates', 'A named list of sizes.', {
    fields: { sizes: z.array(Text).max(SIZES_MAX).optional() },
  }),
  row('type', 'types', 'A type path and the properties that it defines.', {
    fields: typeFields,
    readOnly: ['rootTypePath'],
    operations: WRITE,
    ownRoot: false,
    uniqueBy: ['typePath'],
  }),
  row('event-workflow', 'event-workflows', 'Tasks that run when an event is triggered.', {
    fields: workflowFields,
    rules: workflowRules(
      (name, operation) => BY_NAME.get(name)?.operations.some(known => known === operation) ?? false,
    ),
    rides: listenStatements,
  }),
  row('webhook', 'webhooks', 'An address that triggers workflows when it is called.', {
    fields: webhookFields,
    readOnly: ['triggerKey', 'triggerUrl'],
    operations: ['get', 'list', 'update', 'delete'],
  }),
  row('file', 'files', 'An uploaded file.', {
    fields: { status: Text.optional() },
    recorded: false,
    operations: READ,
  }),
  row('loader-process', 'loader-processes', 'A load of a CSV file.', {
    fields: { status: Text.optional() },
    recorded: false,
    operations: READ,
  }),
  row('event-workflow-process', 'event-workflow-processes', 'One run of a workflow.', {
    fields: processFields,
    recorded: false,
    operations: READ,
  }),
  row('event-workflow-task', 'event-workflow-tasks', 'One task of a run.', {
    fields: taskFields,
    references: [reference('processId', 'event-workflow-process')],
    recorded: false,
    operations: READ,
  }),
])

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map(kind => [kind.name, kind]))

export function kindNamed(name: string): Kind {
  const kind = BY_NAME.get(name)
  if (!kind) throw new Error(`no entity type ${name}`)
  return kind
}

export const KIND_NAMES: readonly string[] = KINDS.map(kind => kind.name)

const PLURALS = new Map(KINDS.map(kind => [kind.name, kind.path]))

/** `/item/…` is `/items/…` (N2). */
export function pluralPath(segment: string): string {
  return PLURALS.get(segment) ?? segment
}
