// Whether a file holds a loader configuration as the form reads it; what is in it is the service's to judge. Pure.

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const isAbsentOr =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

const isColumn: Check = value =>
  isMap(value) &&
  isText(value.toProperty) &&
  isAbsentOr(listOf(each => isMap(each) && isText(each.conditional)))(value.conditions)
const isSplit: Check = value =>
  isMap(value) &&
  isAbsentOr(isText)(value.fieldToSplitOn) &&
  isAbsentOr(listOf(each => isMap(each) && isText(each.value)))(value.values)

const SHAPES: readonly [name: string, wanted: string, check: Check][] = [
  ['federatedMappings', 'pairs of texts', value => isMap(value) && Object.values(value).every(isText)],
  ['propertiesToRemove', 'a list of texts', listOf(isText)],
  ['conditionalColumns', 'a list, each with a toProperty', listOf(isColumn)],
  ['assortmentSplit', 'a fieldToSplitOn with its values', isSplit],
  ['workspaceIdentifier', 'a text', isText],
  ['mode', 'a text', isText],
  ['name', 'a text', isText],
]

export function shapeFault(value: unknown): string | undefined {
  if (!isMap(value) || !listOf(isText)(value.loadType)) {
    return 'This is no loader configuration: it has no list loadType.'
  }
  const wrong = SHAPES.find(([name, , check]) => !isAbsentOr(check)(value[name]))
  return wrong && `This is no loader configuration: ${wrong[0]} must be ${wrong[1]}.`
}
