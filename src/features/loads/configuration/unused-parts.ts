// Parts of a configuration that its load types have no use for: nothing is spoilt by them, and nobody would see it. Pure.
import type { LoaderConfiguration, LoadType } from '../contract.ts'

const PARTS: readonly LoadType[] = ['PROJECT_ITEM', 'ASSORTMENT']
const ASSORTMENTS: readonly LoadType[] = ['ASSORTMENT']

const USED_BY: readonly (readonly [part: keyof LoaderConfiguration, types: readonly LoadType[]])[] = [
  ['workspaceIdentifier', PARTS],
  ['assortmentSplit', PARTS],
  ['partialAssortmentUpdate', ASSORTMENTS],
  ['assortmentItemDropField', ASSORTMENTS],
  ['shouldSkipAssortmentPublish', ASSORTMENTS],
]

export function warningsOfUnused(configuration: LoaderConfiguration): string[] {
  const { loadType } = configuration
  return USED_BY.flatMap(([part, types]) => {
    if (!configuration[part] || types.some(type => loadType.includes(type))) return []
    return `${part} is not used: it needs the load type ${types.join(' or ')}.`
  })
}
