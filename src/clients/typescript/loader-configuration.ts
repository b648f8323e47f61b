// The LoaderProcess configuration as it travels.

import type { PropertyType } from './entity-types.ts'

export type LoadType = 'ITEM' | 'PROJECT_ITEM' | 'ASSORTMENT' | 'COLOR' | 'CUSTOM_ENTITY' | 'SIZE_RANGE_TEMPLATE'

export interface ColumnDefinition {
  toProperty: string
  fromProperty?: string | undefined
  conditions?: readonly { conditional: string; value: unknown }[] | undefined
  default?: unknown
}

export interface AssortmentSplit {
  fieldToSplitOn: string
  values: readonly {
    value: string
    assortmentId?: string | undefined
    assortmentIdentifier?: string | undefined
  }[]
  partialAssortmentUpdate?: boolean | undefined
  addField?: string | undefined
  dropField?: string | undefined
}

export interface LoaderConfiguration {
  /** Required unless the file of `loaderConfigurationId` has it. */
  loadType?: readonly LoadType[] | undefined
  /** Id of the uploaded CSV file; `loads.run` sets it when it is given the file. */
  fileLocation?: string | undefined
  federatedMappings?: Readonly<Record<string, string>> | undefined
  conditionalColumns?: readonly ColumnDefinition[] | undefined
  propertiesToRemove?: readonly string[] | undefined
  workspaceIdentifier?: string | undefined
  assortmentSplit?: AssortmentSplit | undefined
  partialAssortmentUpdate?: boolean | undefined
  assortmentItemDropField?: string | undefined
  shouldSkipAssortmentPublish?: boolean | undefined
  loaderConfigurationId?: string | undefined
  /** How columns are read that no type defines: a column name to a `propertyType`. */
  columnTypes?: Readonly<Record<string, PropertyType>> | undefined
  /** A cell that holds just this text is left alone. */
  unchangedMark?: string | undefined
  /** Everything but the writes, with the counts it would have written. */
  dryRun?: boolean | undefined
  mode?: 'upsert' | 'create' | 'update' | undefined
  name?: string | undefined
}
