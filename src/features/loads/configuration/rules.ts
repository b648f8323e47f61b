// What a configuration must fulfil beyond its shape, and everything about it that can be refused before a byte of the
// file is read. All faults are named at once.
import type * as z from 'zod'
import type { FieldError } from '../../../platform/errors.ts'
import { compileConditional, compileTemplate } from '../../../platform/expression/compile/compile.ts'
import { ExpressionSyntaxError } from '../../../platform/expression/errors.ts'
import { type AssortmentSplit, LoaderConfiguration, type LoadType } from '../contract.ts'
import { splitKey } from '../drafts/assortment-split.ts'
import { adviceOn, bracesAdvice, shapeFaults } from './shape-faults.ts'

export type Checked = { configuration: LoaderConfiguration } | { faults: FieldError[] }

const COMBINATIONS: readonly (readonly LoadType[])[] = [
  ['ITEM'],
  ['ITEM', 'PROJECT_ITEM'],
  ['ITEM', 'PROJECT_ITEM', 'ASSORTMENT'],
  ['ITEM', 'ASSORTMENT'],
  ['COLOR'],
  ['CUSTOM_ENTITY'],
  ['SIZE_RANGE_TEMPLATE'],
]

export function checkConfiguration(input: unknown): Checked {
  const parsed = LoaderConfiguration.safeParse(input, { error: adviceOn })
  const faults = parsed.success ? ruleFaults(parsed.data) : shapeFaults(parsed.error.issues)
  if (parsed.success && faults.length === 0) return { configuration: parsed.data }
  return { faults: parsed.success ? faults : [...faults, ...rulesOfReadableParts(input)] }
}

/** Expressions are looked at even where another part has the wrong shape: one answer then names every fault. */
function rulesOfReadableParts(input: unknown): FieldError[] {
  if (typeof input !== 'object' || input === null) return []
  const unreadable = new Set<string>()
  const entries = Object.entries(LoaderConfiguration.shape).flatMap(([key, schema]) => {
    const part = (schema as z.ZodType).safeParse((input as Record<string, unknown>)[key])
    if (!part.success) unreadable.add(key)
    return part.success && part.data !== undefined ? [[key, part.data]] : []
  })
  const readable = Object.fromEntries(entries) as Partial<LoaderConfiguration>
  const { loadType } = readable
  return loadType ? ruleFaults({ ...readable, loadType }, unreadable) : conditionalFaults(readable)
}

type Readable = Partial<LoaderConfiguration> & Pick<LoaderConfiguration, 'loadType'>

/** A part of the wrong shape is there all the same: nobody is asked for it. */
function ruleFaults(configuration: Readable, unreadable: ReadonlySet<string> = new Set()): FieldError[] {
  return [
    ...loadTypeFaults(configuration, unreadable),
    ...(configuration.assortmentSplit ? splitFaults(configuration.assortmentSplit) : []),
    ...partialFaults(configuration),
    ...columnFaults(configuration),
    ...conditionalFaults(configuration),
  ]
}

function loadTypeFaults(
  { loadType, assortmentSplit, workspaceIdentifier }: Readable,
  unreadable: ReadonlySet<string>,
): FieldError[] {
  const hasSplit = assortmentSplit || unreadable.has('assortmentSplit')
  const faults: FieldError[] = []
  const types = new Set(loadType)
  if (types.size < loadType.length) faults.push({ path: '/loadType', message: 'A type is named twice.' })
  const isListed = COMBINATIONS.some(listed => listed.length === types.size && listed.every(type => types.has(type)))
  if (!isListed) {
    const needsItem = (types.has('PROJECT_ITEM') || types.has('ASSORTMENT')) && !types.has('ITEM')
    const message = needsItem
      ? 'PROJECT_ITEM and ASSORTMENT must be paired with ITEM.'
      : 'Only ITEM can be combined, with PROJECT_ITEM and ASSORTMENT.'
    faults.push({ path: '/loadType', message })
  }
  if (types.has('ASSORTMENT') && !hasSplit) {
    faults.push({ path: '/assortmentSplit', message: 'Required when loading ASSORTMENT.' })
  }
  const hasWorkspace = workspaceIdentifier || unreadable.has('workspaceIdentifier')
  if (types.has('PROJECT_ITEM') && !types.has('ASSORTMENT') && !hasSplit && !hasWorkspace) {
    faults.push({
      path: '/workspaceIdentifier',
      message: 'Required when PROJECT_ITEM is loaded without assortmentSplit.',
    })
  }
  return faults
}

function splitFaults(split: AssortmentSplit): FieldError[] {
  const seen = new Set<string>()
  return split.values.flatMap(({ value }, index) => {
    const isRepeated = seen.has(splitKey(value))
    seen.add(splitKey(value))
    const message = `The value ${JSON.stringify(value)} is named twice.`
    return isRepeated ? [{ path: `/assortmentSplit/values/${index}/value`, message }] : []
  })
}

/** The split and the top level may both say it, but not differently. */
function partialFaults({
  assortmentSplit: split,
  partialAssortmentUpdate: top,
  assortmentItemDropField: drop,
}: Readable) {
  const faults: FieldError[] = []
  const inner = split?.partialAssortmentUpdate
  if (top !== undefined && inner !== undefined && top !== inner) {
    faults.push({ path: '/partialAssortmentUpdate', message: 'Contradicts assortmentSplit.partialAssortmentUpdate.' })
  }
  if (drop !== undefined && split?.dropField !== undefined && drop !== split.dropField) {
    faults.push({ path: '/assortmentItemDropField', message: 'Contradicts assortmentSplit.dropField.' })
  }
  const isPartial = top ?? inner ?? false
  const needsPartial = 'Only a partial update adds and drops by column: set partialAssortmentUpdate.'
  if (!isPartial) {
    if (split?.addField) faults.push({ path: '/assortmentSplit/addField', message: needsPartial })
    if (split?.dropField) faults.push({ path: '/assortmentSplit/dropField', message: needsPartial })
    if (drop) faults.push({ path: '/assortmentItemDropField', message: needsPartial })
  }
  if (split?.addField && split.addField === (split.dropField ?? drop)) {
    faults.push({ path: '/assortmentSplit/addField', message: 'The same column cannot both add and drop.' })
  }
  return faults
}

function columnFaults({ conditionalColumns = [] }: Readable): FieldError[] {
  return conditionalColumns.flatMap((column, index) => {
    const saysNothing = !column.fromProperty && !column.conditions?.length && column.default === undefined
    const message = 'Needs conditions, fromProperty or default.'
    return saysNothing ? [{ path: `/conditionalColumns/${index}`, message }] : []
  })
}

/** A conditional must be an expression; a value that does not parse is text (N31), one that only nearly works is refused (N73). */
function conditionalFaults({ conditionalColumns = [] }: Partial<LoaderConfiguration>): FieldError[] {
  return conditionalColumns.flatMap((column, at) => {
    const path = `/conditionalColumns/${at}`
    const conditions = (column.conditions ?? []).flatMap(({ conditional, value }, index) => [
      ...syntaxFaults(`${path}/conditions/${index}/conditional`, () => compileWithNames(conditional)),
      ...valueFaults(`${path}/conditions/${index}/value`, value),
    ])
    return [...conditions, ...valueFaults(`${path}/default`, column.default)]
  })
}

/** What a function may begin with is no column. */
const IN_BRACES = /\{(?!\s*(?:return|const|let|var|if|for|while|throw)\b)([^{}\r\n]*)\}/g

/** What looks like an object may be a column (`{Material: outer}`): that is known when the file is opened. */
function compileWithNames(conditional: string): void {
  try {
    compileConditional(conditional)
  } catch (error) {
    const names = new Set([...conditional.matchAll(IN_BRACES)].map(([, name = '']) => name.trim()))
    try {
      compileConditional(conditional, names)
    } catch {
      throw error
    }
  }
}

function syntaxFaults(path: string, compile: () => unknown, advice = ''): FieldError[] {
  try {
    compile()
    return []
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    return [{ path, message: `The expression is refused: ${error.message}.${advice}` }]
  }
}

function valueFaults(path: string, value: unknown): FieldError[] {
  if (typeof value === 'string') {
    return syntaxFaults(path, () => compileTemplate(value), ' To have it as text, put it into quotes of its own.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const message = bracesAdvice(value)
  return message ? [{ path, message }] : []
}
