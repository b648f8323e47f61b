// A load as somebody puts it together: which column goes where, what is left out, what is made; and the configuration it
// comes to. Pure.
import type { AssortmentSplit, ColumnDefinition, LoaderConfiguration, LoadType } from '../../typescript/index.ts'
import { matchColumns, matchesIn, type OptionMatches } from './option-matches.ts'
import { ownValue } from './own-value.ts'

export interface SplitDraft {
  field: string
  /** Value in the file → assortment, as `assortmentKey` names it. */
  values: Record<string, string>
  isPartial: boolean
  /** What no form shows. */
  more?: Partial<AssortmentSplit>
}

const BY_ID = '\u0000'

/** Assortments are named by identifier, those without one by id. */
export const assortmentKey = ({ id, identifier }: { id?: string | undefined; identifier?: unknown }) =>
  typeof identifier === 'string' && identifier !== '' ? identifier : BY_ID + (id ?? '')

const splitTarget = (key: string) =>
  key.startsWith(BY_ID) ? { assortmentId: key.slice(BY_ID.length) } : { assortmentIdentifier: key }

const ID = /^[A-Za-z0-9_-]{16}$/

/** As somebody writes it: an id, or else an identifier; and the other way round. */
export const splitKeyOf = (text: string) => (ID.test(text) ? BY_ID + text : text)
export const splitTextOf = (key: string) => (key.startsWith(BY_ID) ? key.slice(BY_ID.length) : key)

export interface LoadDraft {
  loadType: readonly LoadType[]
  /** Column of the file → properties that it goes to; none: it is matched by its own name. */
  targets: Record<string, readonly string[]>
  removed: readonly string[]
  made: readonly ColumnDefinition[]
  options: OptionMatches
  split: SplitDraft
  workspaceIdentifier: string
  mode: 'upsert' | 'create' | 'update'
  name: string
  /** What no form shows: it stays as it was. */
  more: Partial<LoaderConfiguration>
}

export interface LoadKind {
  loadType: readonly LoadType[]
  title: string
  words: string
  /** Columns that mean something whatever the type defines. */
  reserved: readonly string[]
  /** What a row is found by. */
  needed: string
  entityName: string
}

const ITEM_COLUMNS = ['itemFamilyFederatedId', 'itemOptionFederatedId', 'name', 'optionName', 'optionGroup', 'typePath']
const item = { reserved: ITEM_COLUMNS, needed: 'itemFamilyFederatedId', entityName: 'item' } as const
const alone = { reserved: ['federatedId', 'name', 'typePath'], needed: 'federatedId' } as const

export const LOAD_KINDS: readonly LoadKind[] = [
  {
    ...item,
    loadType: ['ITEM'],
    title: 'Items',
    words: 'A family for each style and an option for each row that names one.',
  },
  {
    ...item,
    loadType: ['ITEM', 'PROJECT_ITEM'],
    title: 'Items in a project',
    words: 'Items as above, and for each its seasonal data in the project of a workspace.',
  },
  {
    ...item,
    loadType: ['ITEM', 'ASSORTMENT'],
    title: 'Items in assortments',
    words: 'Items as above, put into the assortment that a column names.',
  },
  {
    ...item,
    loadType: ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
    title: 'Items in a project and in assortments',
    words: 'Items, their seasonal data, and their places in assortments.',
  },
  {
    ...alone,
    loadType: ['COLOR'],
    title: 'Colors',
    words: 'A color for each row, by hex or by red, green and blue.',
    reserved: [...alone.reserved, 'hex', 'red', 'green', 'blue'],
    entityName: 'color',
  },
  {
    ...alone,
    loadType: ['CUSTOM_ENTITY'],
    title: 'Custom entities',
    words: 'An entity of one type below custom-entity for each row; typePath says which.',
    entityName: 'custom-entity',
  },
  {
    ...alone,
    loadType: ['SIZE_RANGE_TEMPLATE'],
    title: 'Size ranges',
    words: 'A size range for each row, its sizes separated by |.',
    reserved: [...alone.reserved, 'sizes'],
    entityName: 'size-range-template',
  },
]

/** The service takes the types in any order. */
export function kindOfLoad(loadType: readonly string[]): LoadKind | undefined {
  const types = new Set(loadType)
  return LOAD_KINDS.find(kind => kind.loadType.length === types.size && kind.loadType.every(type => types.has(type)))
}

export const NO_DRAFT: LoadDraft = {
  loadType: ['ITEM'],
  targets: {},
  removed: [],
  made: [],
  options: {},
  split: { field: '', values: {}, isPartial: true },
  workspaceIdentifier: '',
  mode: 'upsert',
  name: '',
  more: {},
}

/** One target more: beside the property of its own name too, which it went to as long as none was chosen. */
export const targetsWith = (targets: readonly string[], own: string | undefined, next: string): readonly string[] => [
  ...(targets.length === 0 && own !== undefined ? [own] : targets),
  next,
]

/** A column that goes to other names only is taken out, unless something that is made refers to it. */
function mappedAway({ targets, made }: LoadDraft, columns: readonly string[] | undefined): string[] {
  const texts = JSON.stringify(made)
  return Object.entries(targets)
    .filter(([column]) => !columns || columns.includes(column))
    .filter(([column, names]) => names.length > 0 && !names.includes(column) && !texts.includes(`{${column}}`))
    .filter(([column]) => !made.some(({ fromProperty }) => fromProperty === column))
    .map(([column]) => column)
}

/** `columns` are those of the file, where it is known: what is mapped from none of them is a text for every row. */
export function configurationOf(draft: LoadDraft, columns?: readonly string[]): LoaderConfiguration {
  const { loadType, targets, split, workspaceIdentifier, mode, name, more } = draft
  const made = [...draft.made, ...matchColumns(draft.options)]
  const mappings = Object.entries(targets).flatMap(([column, names]) =>
    names.filter(target => target !== column).map((target): [string, string] => [target, column]),
  )
  const fillsAssortments = loadType.includes('ASSORTMENT')
  const removed = [...new Set([...draft.removed, ...mappedAway(draft, columns)])].filter(
    column => !fillsAssortments || column !== split.field,
  )
  // The split says whether it is partial: twice might contradict. The rest nobody can take out here, where it is not used.
  const { partialAssortmentUpdate: _, assortmentItemDropField, shouldSkipAssortmentPublish, ...others } = more
  const { addField: _add, dropField: _drop, ...whole } = split.more ?? {}
  const fillsProject = loadType.includes('PROJECT_ITEM')
  const needsWorkspace = fillsProject && workspaceIdentifier !== ''
  // Without a workspace it leads to the project.
  const needsSplit = fillsAssortments || (fillsProject && !needsWorkspace && split.field !== '')
  return {
    ...others,
    ...(fillsAssortments && split.isPartial && assortmentItemDropField !== undefined && { assortmentItemDropField }),
    ...(fillsAssortments && shouldSkipAssortmentPublish !== undefined && { shouldSkipAssortmentPublish }),
    loadType,
    ...(name !== '' && { name }),
    ...(mappings.length > 0 && { federatedMappings: Object.fromEntries(mappings) }),
    ...(removed.length > 0 && { propertiesToRemove: removed }),
    ...(made.length > 0 && { conditionalColumns: made }),
    ...(needsWorkspace && { workspaceIdentifier }),
    ...(needsSplit && {
      assortmentSplit: {
        ...(split.isPartial ? split.more : whole),
        fieldToSplitOn: split.field,
        partialAssortmentUpdate: split.isPartial,
        values: Object.entries(split.values)
          .filter(([, key]) => key !== '')
          .map(([value, key]) => ({ value, ...splitTarget(key) })),
      },
    }),
    ...(mode !== 'upsert' && { mode }),
  }
}

/** Options need a key of their own; style and color together make one. Undefined where there is one, or nothing to make it of. */
export function optionKeyRule(
  { loadType, targets, made }: LoadDraft,
  columns: readonly string[],
): ColumnDefinition | undefined {
  const key = 'itemOptionFederatedId'
  const filledBy = (name: string) =>
    columns.find(column => column === name || ownValue(targets, column)?.includes(name)) ?? undefined
  if (!loadType.includes('ITEM') || filledBy(key) || made.some(({ toProperty }) => toProperty === key)) return undefined
  const [family, option] = [filledBy('itemFamilyFederatedId'), filledBy('optionName')]
  return family && option ? { toProperty: key, default: `{${family}}-{${option}}` } : undefined
}

/** A configuration alone: what a load's record holds besides is left behind. */
export function configurationIn(record: Readonly<Record<string, unknown>>): LoaderConfiguration {
  return Object.fromEntries(Object.entries(record).filter(([name]) => CONFIGURATION.has(name)))
}

const SHOWN = [
  'loadType',
  'federatedMappings',
  'propertiesToRemove',
  'conditionalColumns',
  'assortmentSplit',
  'workspaceIdentifier',
  'mode',
  'name',
] as const satisfies (keyof LoaderConfiguration)[]
const KEPT = [
  'partialAssortmentUpdate',
  'assortmentItemDropField',
  'shouldSkipAssortmentPublish',
  'columnTypes',
  'unchangedMark',
] as const satisfies (keyof LoaderConfiguration)[]
const CONFIGURATION = new Set<string>([...SHOWN, ...KEPT])

/** The other way round: a configuration that was kept becomes a draft again. */
export function draftOf(configuration: LoaderConfiguration): LoadDraft {
  const targets = new Map<string, string[]>()
  for (const [target, column] of Object.entries(configuration.federatedMappings ?? {})) {
    targets.set(column, [...(targets.get(column) ?? []), target])
  }
  const { matches, rest } = matchesIn(configuration.conditionalColumns ?? [])
  const more = KEPT.flatMap(name => (configuration[name] === undefined ? [] : [[name, configuration[name]]]))
  return {
    loadType: configuration.loadType ?? NO_DRAFT.loadType,
    targets: Object.fromEntries(targets),
    removed: configuration.propertiesToRemove ?? [],
    made: rest,
    options: matches,
    split: splitOf(configuration),
    workspaceIdentifier: configuration.workspaceIdentifier ?? '',
    mode: configuration.mode ?? 'upsert',
    name: configuration.name ?? '',
    more: Object.fromEntries(more),
  }
}

/** Where a split does not say it, the top level does; a split without either takes members out, as the service has it. */
function splitOf({ assortmentSplit, partialAssortmentUpdate: top }: LoaderConfiguration): SplitDraft {
  const usual = assortmentSplit ? false : NO_DRAFT.split.isPartial
  const { fieldToSplitOn = '', values = [], partialAssortmentUpdate = top ?? usual, ...more } = assortmentSplit ?? {}
  const keys = values.map(each => [
    each.value,
    assortmentKey({ id: each.assortmentId, identifier: each.assortmentIdentifier }),
  ])
  return { field: fieldToSplitOn, values: Object.fromEntries(keys), isPartial: partialAssortmentUpdate, more }
}
