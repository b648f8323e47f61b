// The LoaderProcess configuration as callers write it: inline, or in a YAML or JSON file of the same shape; the process as they
// see it, and their operations (N27, N28). Shapes only; rules that join several properties stand in configuration/rules.ts.
import * as z from 'zod'
import { commonExample, commonFields } from '../../platform/entity-shape.ts'
import { JsonValue, named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'
import { LOAD_MAX_MAPPINGS } from '../../platform/limits.ts'
import { PROPERTY_TYPES } from '../types/contract.ts'

export const LOAD_TYPES = [
  'ITEM',
  'PROJECT_ITEM',
  'ASSORTMENT',
  'COLOR',
  'CUSTOM_ENTITY',
  'SIZE_RANGE_TEMPLATE',
] as const
export const LoadType = z.enum(LOAD_TYPES)
export type LoadType = z.infer<typeof LoadType>

const Name = z.string().trim().min(1, 'must not be empty').max(128)
const Expression = z.string().min(1, 'must not be empty').max(10_000)
/** Whatever JSON can say; strings with `{` are templates (N31). */
const Value = JsonValue

export const Condition = z.strictObject({ conditional: Expression, value: Value })
export type Condition = z.infer<typeof Condition>

export const ColumnDefinition = named(
  'ColumnDefinition',
  z.strictObject({
    toProperty: Name.describe('Target column; overwritten if it exists.'),
    fromProperty: Name.optional().describe('Copies the value from this column. Ignored when conditions is present.'),
    conditions: z.array(Condition).max(200).optional().describe('Evaluated in order; the first that matches wins.'),
    default: Value.optional().describe('Used when no condition matches, or as a template expression.'),
  }),
)
export type ColumnDefinition = z.infer<typeof ColumnDefinition>

export const SplitValue = z.strictObject({
  value: z.string().trim().max(1000),
  assortmentId: Name.optional(),
  assortmentIdentifier: Name.optional(),
})
export type SplitValue = z.infer<typeof SplitValue>

export const AssortmentSplit = named(
  'AssortmentSplit',
  z.strictObject({
    fieldToSplitOn: Name.describe('CSV column whose value picks the assortment of each row.'),
    values: z.array(SplitValue).min(1, 'must name at least one value').max(1000),
    partialAssortmentUpdate: z.boolean().optional(),
    addField: Name.optional().describe('Column; rows holding true are added. Used with partial updates.'),
    dropField: Name.optional().describe('Column; rows holding true are dropped. Used with partial updates.'),
  }),
)
export type AssortmentSplit = z.infer<typeof AssortmentSplit>

export const LOAD_MODES = ['upsert', 'create', 'update'] as const
export type LoadMode = (typeof LOAD_MODES)[number]

/** Every entry is compared with every column before the first row is read. */
const bounded = <T extends z.ZodType<Record<string, unknown>>>(entries: T): T =>
  entries
    .refine(given => Object.keys(given).length <= LOAD_MAX_MAPPINGS, `has more than ${LOAD_MAX_MAPPINGS} entries`)
    .meta({ maxProperties: LOAD_MAX_MAPPINGS })

const shape = {
  name: z.string().trim().min(1).max(512).optional().describe('A name for people.'),
  loadType: z
    .array(LoadType)
    .min(1, 'must name at least one type')
    .describe('Entity types to create. Only ITEM can be combined with others.'),
  fileLocation: z.string().min(1).max(128).describe('Id of the uploaded CSV file.'),
  federatedMappings: bounded(z.record(Name, z.string().max(10_000)))
    .optional()
    .describe('Target column name to source column name, or to a literal value.'),
  conditionalColumns: z.array(ColumnDefinition).max(200).optional(),
  propertiesToRemove: z.array(Name).max(1000).optional().describe('Column names removed before processing.'),
  workspaceIdentifier: Name.optional().describe('Project (workspace) that receives PROJECT_ITEM entities.'),
  assortmentSplit: AssortmentSplit.optional(),
  partialAssortmentUpdate: z.boolean().optional(),
  assortmentItemDropField: Name.optional(),
  shouldSkipAssortmentPublish: z.boolean().optional(),
  loaderConfigurationId: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('Id of an uploaded YAML or JSON configuration.'),
  columnTypes: bounded(z.record(Name, z.enum(PROPERTY_TYPES)))
    .optional()
    .describe('How columns are read that no type defines; they are stored, also where the type defines others.'),
  unchangedMark: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe('A cell that holds just this text is left alone, as if the row had no such column.'),
  dryRun: z.boolean().optional().describe('Everything but the writes.'),
  mode: z.enum(LOAD_MODES).optional().describe('Whether entities may be created, updated, or both.'),
}

export const LoaderConfiguration = z.strictObject(shape)
export type LoaderConfiguration = z.infer<typeof LoaderConfiguration>

/** What a request may hold: the rest can come from the configuration file. */
export const LoaderProcessBody = named('LoaderConfiguration', LoaderConfiguration.partial(), {
  loadType: ['ITEM'],
  fileLocation: 'Vn3KqJ8sW2xT0aLb',
  federatedMappings: { itemFamilyFederatedId: 'Style number' },
  conditionalColumns: [{ toProperty: 'typePath', default: 'item:shirt' }],
})
export type LoaderProcessBody = z.infer<typeof LoaderProcessBody>

export const LOAD_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
export type LoadStatus = (typeof LOAD_STATUSES)[number]

export const FAILURE_AREAS = ['NONE', 'PARSING_CSV', 'VALIDATING_DATA', 'TRANSFORMING_DATA'] as const
export type FailureArea = (typeof FAILURE_AREAS)[number]

export const ISSUE_TYPES = [
  'CONFIG',
  'HEADER_MISMATCH',
  'INVALID_DATA',
  'MISSING_DATA',
  'VALIDATION_ERROR',
  'DUPLICATE_FEDERATED_ID',
  'SYSTEM_ERROR',
] as const

/** N29 */
export const Issue = named(
  'LoadIssue',
  z.strictObject({
    rowNumber: z.number().int().describe('Line in the file; the header is line 1.'),
    columnName: z.string().nullable(),
    message: z.string(),
    issueType: z.enum(ISSUE_TYPES),
    severity: z.enum(['error', 'warning']),
  }),
)
export type Issue = z.infer<typeof Issue>
export type IssueType = Issue['issueType']

const Count = z.int().min(0)

export const LoaderProcess = named(
  'LoaderProcess',
  z.looseObject({
    ...commonFields,
    name: z.string(),
    loadType: z.array(z.enum(LOAD_TYPES)),
    fileLocation: z.string(),
    ownsFile: z.boolean().optional().describe('The file came with the load, and is removed with it.'),
    status: z.enum(LOAD_STATUSES),
    failureArea: z.enum(FAILURE_AREAS),
    progress: z.object({
      phase: z.string(),
      rowsTotal: Count.nullable(),
      rowsDone: Count.describe('In the phase that is named.'),
      percent: z.int().min(0).max(100).describe('Of the whole load; it never runs back.'),
      rowsPerSecond: Count.nullable().describe('Of the phase; null where it counts no rows.'),
      secondsLeft: Count.nullable().describe('Until the end of the whole load; null as long as nothing can be told.'),
    }),
    results: z.record(z.string(), z.object({ created: Count, updated: Count, unchanged: Count, removed: Count })),
    unrecordedWrites: Count.describe('Writes of assortment items without change records.'),
    steps: z.array(z.object({ step: z.int(), name: z.string(), rows: Count, warnings: Count })),
    errorCount: Count,
    warningCount: Count,
    issues: z.array(Issue).describe('The first 100.'),
    issuesFileId: z.string().optional(),
    annotatedFileId: z.string().optional(),
    assortmentPublishChangeIds: z.array(z.string()),
    startedOn: z.iso.datetime().optional(),
    endedOn: z.iso.datetime().optional(),
  }),
  {
    ...commonExample,
    typePath: 'loader-process',
    name: 'Load of styles.csv',
    loadType: ['ITEM'],
    fileLocation: 'Vn3KqJ8sW2xT0aLb',
    status: 'running',
    failureArea: 'NONE',
    progress: { phase: 'writing', rowsTotal: 1204, rowsDone: 400, percent: 58, rowsPerSecond: null, secondsLeft: null },
    results: { item: { created: 390, updated: 10, unchanged: 0, removed: 0 } },
    unrecordedWrites: 0,
    steps: [{ step: 1, name: 'booleans', rows: 1204, warnings: 0 }],
    errorCount: 0,
    warningCount: 0,
    issues: [],
    assortmentPublishChangeIds: [],
    startedOn: '2026-03-02T09:30:00.000Z',
  },
)

const loads = { tag: 'loader-processes', access: 'organization', answer: LoaderProcess } as const

export const startLoad = {
  id: 'startLoad',
  ...loads,
  method: 'POST',
  path: '/loader-processes',
  summary: 'Start a load',
  description: 'Takes the loader configuration, inline, from `loaderConfigurationId`, or both: inline properties win.',
  // Checked by the verb, which names faults of shape and of rules in one answer.
  body: z.unknown(),
  bodyShape: LoaderProcessBody,
  status: 202,
  sends: ['ETag', 'Location'],
  faults: ['quota_exceeded'],
} as const satisfies Operation

export const LoadCheck = named(
  'LoadCheck',
  z.object({
    columns: z.array(z.string()).nullable().describe('Columns of the file; null without a file that can be read.'),
    issues: z.array(Issue).describe('The first 100 issues of the header.'),
    errorCount: Count.describe('Issues that would fail the load.'),
    warningCount: Count.describe('Issues that would not.'),
  }),
  { columns: ['Style number', 'Name'], issues: [], errorCount: 0, warningCount: 0 },
)
export type LoadCheck = z.infer<typeof LoadCheck>

export const checkLoad = {
  ...loads,
  id: 'checkLoad',
  method: 'POST',
  path: '/loader-processes/check',
  summary: 'Check a loader configuration',
  description:
    'Takes what a start takes and refuses what a start refuses, but writes nothing. `fileLocation` may be missing; if it is given, the header of the file is checked, too.',
  writes: false,
  body: z.unknown(),
  bodyShape: LoaderProcessBody,
  answer: LoadCheck,
  status: 200,
} as const satisfies Operation

export const cancelLoad = {
  id: 'cancelLoad',
  ...loads,
  method: 'POST',
  path: '/loader-processes/:id/cancel',
  summary: 'Cancel a load',
  keepsAnswer: true,
  description: 'What is committed stays. Loading the same file again completes it.',
  status: 202,
  sends: ['ETag'],
  faults: ['conflict'],
} as const satisfies Operation
