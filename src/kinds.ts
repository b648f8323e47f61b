// THE TABLE: one row for each entity type. A type that differs from the others says so here, and nowhere else.
import * as z from 'zod'
import { LoaderProcess } from './features/assortments/contract.ts'
import { assortmentGuard } from './features/assortments/guard.ts'
import { File } from './features/files/contract.ts'
import { listenStatements } from './features/history/outbox-store.ts'
import { typeExample, typeFields } from './features/types/contract.ts'
import { typeGuard } from './features/types/guard.ts'
import { typeAddress } from './features/types/store.ts'
import { EventWorkflowProcess, EventWorkflowTask, processFields, taskFields } from './features/workflows/contract.ts'
import { webhookFields, workflowExample, workflowFields, workflowRules } from './features/workflows/definition.ts'
import type { PropertyColumn } from './platform/db/schema/entities.ts'
import { type EntityOperation, type Kind, type KindRow, kindTable, type Reference } from './platform/kind.ts'
import { KEY_TEXT_MAX_LENGTH } from './platform/limits.ts'

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
  readOnly: {},
  references: [],
  federatedScope: 'kind',
  ownRoot: true,
  recorded: true,
  operations: ALL,
  group: 'Product data',
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
    references: [reference('itemFamilyId', 'item')],
    example: {
      typePath: 'item:shirt',
      name: 'Linen shirt',
      federatedId: 'LS-1',
      roles: ['family'],
      season: 'SS27',
      price: 49,
    },
  }),
  row('project-item', 'project-items', 'The data of an item in one project, such as a season.', {
    fields: { itemId: Id, projectId: Id },
    references: [reference('itemId', 'item'), reference('projectId', 'project')],
    uniqueBy: ['itemId', 'projectId'],
    example: { itemId: 'Vn3KqJ8sW2xT0aLb', projectId: 'h5YcB0nWv7RtK2qD', targetPrice: 45 },
  }),
  row('assortment-item', 'assortment-items', 'The membership of an item in an assortment.', {
    fields: { itemId: Id, assortmentId: Id, projectItemId: Id.optional() },
    references: [
      reference('itemId', 'item'),
      reference('assortmentId', 'assortment'),
      reference('projectItemId', 'project-item'),
    ],
    uniqueBy: ['itemId', 'assortmentId'],
    example: { itemId: 'Vn3KqJ8sW2xT0aLb', assortmentId: 'w9GsM4zXk1FpU6eN' },
  }),
  row('assortment', 'assortments', 'A selection of items in a workspace, or a composite of other assortments.', {
    fields: { workspaceId: Id.optional(), memberAssortmentIds: z.array(Id).max(1000).optional() },
    readOnly: { summary: z.object({ itemCount: z.int(), familyCount: z.int(), optionCount: z.int() }) },
    example: { name: 'SS27 Europe', identifier: 'ss27-eu' },
    guard: assortmentGuard,
    references: [
      reference('workspaceId', 'workspace'),
      { field: 'memberAssortmentIds', target: 'assortment', list: true, relation: 'memberAssortments' },
    ],
  }),
  row('project', 'projects', 'A season or another undertaking that items are developed for.', {
    example: { name: 'Spring Summer 2027', federatedId: 'SS27' },
  }),
  row('workspace', 'workspaces', 'A place of work in a project; loads name it by its identifier.', {
    fields: { projectId: Id.optional() },
    references: [reference('projectId', 'project')],
    example: { name: 'Design', identifier: 'ss27-design' },
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
    example: { name: 'Indigo', federatedId: 'IN-1', hex: '#27408b', red: 39, green: 64, blue: 139 },
  }),
  row('custom-entity', 'custom-entities', 'An instance of a type of your own.', {
    federatedScope: 'typePath',
    example: { typePath: 'custom-entity:supplier', name: 'Flax mill', federatedId: 'FM-7', country: 'PT' },
  }),
  row('size-range-template', 'size-range-templates', 'A named list of sizes.', {
    fields: { sizes: z.array(Text).max(1000).optional() },
    example: { name: 'Letters', federatedId: 'LETTERS', sizes: ['S', 'M', 'L', 'XL'] },
  }),
  row('type', 'types', 'A type path and the properties that it defines.', {
    fields: typeFields,
    readOnly: { rootTypePath: z.string() },
    example: typeExample,
    operations: WRITE,
    ownRoot: false,
    uniqueBy: ['typePath'],
    guard: typeGuard(() => KINDS),
    address: typeAddress,
  }),
  row('event-workflow', 'event-workflows', 'Tasks that run when an event is triggered.', {
    group: 'Workflows',
    fields: workflowFields,
    rules: workflowRules(
      (name, operation) => BY_NAME.get(name)?.operations.some(known => known === operation) ?? false,
    ),
    rides: listenStatements,
    example: workflowExample,
  }),
  row('webhook', 'webhooks', 'An address that triggers workflows when it is called.', {
    group: 'Workflows',
    fields: webhookFields,
    readOnly: { triggerKey: z.string(), triggerUrl: z.string() },
    example: { name: 'Orders of the shop' },
    operations: ['get', 'list', 'update', 'delete'],
  }),
  row('file', 'files', 'An uploaded file.', {
    group: 'Files and loads',
    fields: { status: Text.optional() },
    answer: File,
    recorded: false,
    operations: READ,
  }),
  row('loader-process', 'loader-processes', 'A load of a CSV file.', {
    group: 'Files and loads',
    fields: { status: Text.optional() },
    answer: LoaderProcess,
    recorded: false,
    operations: READ,
  }),
  row('event-workflow-process', 'event-workflow-processes', 'One run of a workflow.', {
    group: 'Workflows',
    fields: processFields,
    answer: EventWorkflowProcess,
    recorded: false,
    operations: READ,
  }),
  row('event-workflow-task', 'event-workflow-tasks', 'One task of a run.', {
    group: 'Workflows',
    fields: taskFields,
    answer: EventWorkflowTask,
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
