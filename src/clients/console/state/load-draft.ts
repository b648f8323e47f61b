// A load as somebody puts it together: which column goes where, what is left out, what is made; and the configuration it
// comes to. Pure.
import type { ColumnDefinition, LoaderConfiguration, LoadType } from '../../typescript/index.ts'

export interface SplitDraft {
  field: string
  /** Value in the file → identifier of the assortment. */
  values: Record<string, string>
  isPartial: boolean
}

export interface LoadDraft {
  loadType: readonly LoadType[]
  /** Column of the file → properties that it goes to; none: it is matched by its own name. */
  targets: Record<string, readonly string[]>
  removed: readonly string[]
  made: readonly ColumnDefinition[]
  split: SplitDraft
  workspaceIdentifier: string
  mode: 'upsert' | 'create' | 'update'
  name: string
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

export const kindOfLoad = (loadType: readonly string[]): LoadKind | undefined =>
  LOAD_KINDS.find(kind => kind.loadType.join() === loadType.join())

export const NO_DRAFT: LoadDraft = {
  loadType: ['ITEM'],
  targets: {},
  removed: [],
  made: [],
  split: { field: '', values: {}, isPartial: true },
  workspaceIdentifier: '',
  mode: 'upsert',
  name: '',
}

/** A column that goes to other names only is taken out, unless something that is made refers to it. */
function mappedAway({ targets, made }: LoadDraft): string[] {
  const texts = JSON.stringify(made)
  return Object.entries(targets)
    .filter(([column, names]) => names.length > 0 && !names.includes(column) && !texts.includes(`{${column}}`))
    .filter(([column]) => !made.some(({ fromProperty }) => fromProperty === column))
    .map(([column]) => column)
}

export function configurationOf(draft: LoadDraft): LoaderConfiguration {
  const { loadType, targets, made, split, workspaceIdentifier, mode, name } = draft
  const mappings = Object.entries(targets).flatMap(([column, names]) =>
    names.filter(target => target !== column).map((target): [string, string] => [target, column]),
  )
  const fillsAssortments = loadType.includes('ASSORTMENT')
  const removed = [...new Set([...draft.removed, ...mappedAway(draft)])].filter(
    column => !fillsAssortments || column !== split.field,
  )
  const needsWorkspace = loadType.includes('PROJECT_ITEM') && workspaceIdentifier !== ''
  return {
    loadType,
    ...(name !== '' && { name }),
    ...(mappings.length > 0 && { federatedMappings: Object.fromEntries(mappings) }),
    ...(removed.length > 0 && { propertiesToRemove: removed }),
    ...(made.length > 0 && { conditionalColumns: made }),
    ...(needsWorkspace && { workspaceIdentifier }),
    ...(fillsAssortments && {
      assortmentSplit: {
        fieldToSplitOn: split.field,
        partialAssortmentUpdate: split.isPartial,
        values: Object.entries(split.values)
          .filter(([, identifier]) => identifier !== '')
          .map(([value, assortmentIdentifier]) => ({ value, assortmentIdentifier })),
      },
    }),
    ...(mode !== 'upsert' && { mode }),
  }
}

/** The other way round: a configuration that was kept becomes a draft again. */
export function draftOf(configuration: LoaderConfiguration): LoadDraft {
  const targets: Record<string, string[]> = {}
  for (const [target, column] of Object.entries(configuration.federatedMappings ?? {})) {
    targets[column] = [...(targets[column] ?? []), target]
  }
  const { assortmentSplit } = configuration
  return {
    loadType: configuration.loadType ?? NO_DRAFT.loadType,
    targets,
    removed: configuration.propertiesToRemove ?? [],
    made: configuration.conditionalColumns ?? [],
    split: {
      field: assortmentSplit?.fieldToSplitOn ?? '',
      values: Object.fromEntries(
        (assortmentSplit?.values ?? []).map(each => [each.value, each.assortmentIdentifier ?? each.assortmentId ?? '']),
      ),
      isPartial: assortmentSplit?.partialAssortmentUpdate ?? false,
    },
    workspaceIdentifier: configuration.workspaceIdentifier ?? '',
    mode: configuration.mode ?? 'upsert',
    name: configuration.name ?? '',
  }
}
