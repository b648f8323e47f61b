// The entity types that a load can write, a row for each load type (N32). What differs between them is said here; a new one is
// a new row.
import { COMMON_READ_ONLY } from '../../platform/kind.ts'
import type { LoaderConfiguration, LoadType } from './contract.ts'
import { colorFields } from './drafts/color-rows.ts'
import type { ReservedCells } from './drafts/reserved-cells.ts'
import { sizeFields } from './drafts/size-rows.ts'

export type Home = 'projectId' | 'assortmentId'

export interface LoadTarget {
  loadType: LoadType
  /** Of the entity type: its row in the table of all types. */
  name: string
  /** The property that, with its item, it is found by; none: it is found by its own federatedId. */
  home?: Home
  /** Whether a row is a family or an option, which comes with its family; else it is an entity by itself. */
  hasFamilies: boolean
  /** Whether every row names a subtype, which is the same in all of them. */
  needsSubtype: boolean
  /** The columns that a row's key stands in: the first that is not empty. */
  keyColumns: readonly string[]
  /** Columns that mean something whatever the type defines. */
  reserved: readonly string[]
  /** Columns that only the service may fill. */
  readOnly: readonly string[]
  /** Makes properties of reserved columns. */
  fields?: (cells: ReservedCells) => Record<string, unknown>
}

const COMMON = ['typePath', 'name', 'federatedId']

/** As most are. */
const alone = {
  hasFamilies: false,
  needsSubtype: false,
  keyColumns: ['federatedId'],
  reserved: COMMON,
  readOnly: COMMON_READ_ONLY,
} as const

/** Each column goes to whichever entity type defines it; those of the item are read first. */
const ofItem = { ...alone, hasFamilies: true, keyColumns: [], reserved: [] } as const

/** What others belong to comes before them. */
export const LOAD_TARGETS: readonly LoadTarget[] = [
  {
    ...ofItem,
    loadType: 'ITEM',
    name: 'item',
    keyColumns: ['itemFamilyFederatedId'],
    reserved: ['typePath', 'name', 'itemFamilyFederatedId', 'itemOptionFederatedId', 'optionName', 'optionGroup'],
    readOnly: [...COMMON_READ_ONLY, 'federatedId', 'roles', 'itemFamilyId'],
  },
  { ...ofItem, loadType: 'PROJECT_ITEM', name: 'project-item', home: 'projectId' },
  { ...ofItem, loadType: 'ASSORTMENT', name: 'assortment-item', home: 'assortmentId' },
  {
    ...alone,
    loadType: 'COLOR',
    name: 'color',
    reserved: [...COMMON, 'hex', 'red', 'green', 'blue'],
    fields: colorFields,
  },
  {
    ...alone,
    loadType: 'CUSTOM_ENTITY',
    name: 'custom-entity',
    keyColumns: ['federatedId', 'name'],
    needsSubtype: true,
  },
  {
    ...alone,
    loadType: 'SIZE_RANGE_TEMPLATE',
    name: 'size-range-template',
    reserved: [...COMMON, 'sizes'],
    fields: sizeFields,
  },
]

/** Never empty: the row's own entity first, then what belongs to it. */
export type Targets = readonly [LoadTarget, ...LoadTarget[]]

export function targetsOf({ loadType }: Pick<LoaderConfiguration, 'loadType'>): Targets {
  const [first, ...others] = LOAD_TARGETS.filter(target => loadType.includes(target.loadType))
  if (!first) throw new Error('a load without a load type')
  return [first, ...others]
}

/** Columns that mean something in such a load. A split is of no use to a load without parts (N72). */
export function reservedOf(
  targets: Targets,
  { assortmentSplit }: { assortmentSplit?: object | undefined },
): Set<string> {
  const [main] = targets
  const hasParts = targets.some(({ home }) => home !== undefined)
  return new Set([...main.reserved, ...(assortmentSplit && hasParts ? ['assortmentId'] : [])])
}

const byName = new Map(LOAD_TARGETS.map(target => [target.name, target]))

export function targetNamed(name: string): LoadTarget {
  const target = byName.get(name)
  if (!target) throw new Error(`no load writes ${name}`)
  return target
}

/** Whether a load fills assortments, or needs a project to fill. */
export function fills(configuration: Pick<LoaderConfiguration, 'loadType'>, home: Home): boolean {
  return targetsOf(configuration).some(target => target.home === home)
}

/** Of an assortment. */
export function isMember({ home }: LoadTarget): boolean {
  return home === 'assortmentId'
}

/** What is in an assortment is told of by its publish; a load that skips that keeps no records of it either (N33). */
export function isUnrecorded(
  target: LoadTarget,
  { shouldSkipAssortmentPublish = false }: LoaderConfiguration,
): boolean {
  return isMember(target) && shouldSkipAssortmentPublish
}
