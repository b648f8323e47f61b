// What `--where` and `--or` say, as criteria: `season=SS27`, `price>=40`, `price!=40`, `name~shirt`, `name^=Linen`. Pure.

import type { Criteria, Criterion, Operators } from '../typescript/index.ts'
import { usage } from './failure.ts'
import { isRecord, jsonOrText } from './input.ts'
import { isLossy } from './lossy-number.ts'

/** The first sign of a condition parts the property from the value; longer signs come first. */
const SIGN = /!=|>=|<=|\^=|[=<>~]/

type Sign = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '^='

const OPERATOR: Readonly<Record<Exclude<Sign, '=' | '!='>, keyof Operators>> = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '~': 'contains',
  '^=': 'startsWith',
}

const FORMS = 'Write for example season=SS27, price>40, price!=40, name~shirt or name^=Linen.'

interface Part {
  property: string
  criterion: Criterion
}

function partOf(option: string, text: string): Part {
  const found = SIGN.exec(text)
  const property = text.slice(0, found?.index).trim()
  if (!found || property === '') throw usage(`${option} ${JSON.stringify(text)} is no condition.`, FORMS)
  const sign = found[0] as Sign
  const rest = text.slice(found.index + sign.length)
  const where = `${option} ${text}`
  if (sign === '=') return { property, criterion: equalTo(rest, where) }
  if (sign === '!=') return { property, criterion: unequalTo(rest.trim(), where) }
  const value = sign === '~' || sign === '^=' ? textIn(rest.trim(), where) : jsonOrText(rest.trim(), where)
  return { property, criterion: { [OPERATOR[sign]]: value } }
}

/** `code~12` looks for text, whatever it may be else; quotes around it do not count. */
const textIn = (text: string, where: string) => (text.startsWith('"') ? jsonOrText(text, where) : text)

function equalTo(text: string, where: string): Criterion {
  const either = numberOrText(text.trim())
  return either ? { in: either } : (jsonOrText(text, where) as Criterion)
}

function unequalTo(text: string, where: string): Criterion {
  const value = numberOrText(text) ?? jsonOrText(text, where)
  return Array.isArray(value) ? { notIn: value } : { not: value as string }
}

const BARE = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/

/** Without quotes it may be either, and only the service knows what the property holds. A number that cannot be held is text. */
function numberOrText(text: string): (string | number | boolean)[] | undefined {
  if (!BARE.test(text)) return undefined
  if (text === 'true' || text === 'false') return [text === 'true', text]
  return isLossy(text) ? [text] : [Number(text), text]
}

/** Several conditions on one property must all hold. */
function together(option: string, property: string, before: Criterion | undefined, next: Criterion): Criterion {
  if (before === undefined) return next
  const [first, second] = [operatorsOf(property, before), operatorsOf(property, next)]
  const twice = Object.keys(second).find(operator => Object.hasOwn(first, operator))
  if (twice)
    throw usage(
      `${option} asks ${property} twice for ${twice}.`,
      'Ask once, or write the criteria as JSON with --criteria.',
    )
  return { ...first, ...second }
}

function operatorsOf(property: string, criterion: Criterion): Operators {
  if (isRecord(criterion)) return criterion
  if (typeof criterion === 'string' && /^\s*BETWEEN\s/i.test(criterion))
    throw usage(
      `${property} is asked for a range and something else.`,
      `Write the range as ${property}>=a and ${property}<=b.`,
    )
  return Array.isArray(criterion) ? { in: criterion } : { eq: criterion as string }
}

function conditionsOf(option: string, texts: readonly string[], given: Record<string, unknown> = {}) {
  // A property may be called as what every object has, such as `constructor`.
  const criteria = new Map(Object.entries(given as Record<string, Criterion>))
  for (const text of texts) {
    const { property, criterion } = partOf(option, text)
    criteria.set(property, together(option, property, criteria.get(property), criterion))
  }
  return Object.fromEntries(criteria)
}

export interface WhereFlags {
  where: readonly string[]
  or: readonly string[]
}

/** Each `--or` is a set of conditions, parted by ` && `, of which one set must hold beside all of `--where`. */
export function criteriaOf(given: Record<string, unknown>, { where, or }: WhereFlags): Criteria | undefined {
  const criteria: Record<string, unknown> = conditionsOf('--where', where, given)
  if (or.length > 0 && criteria.or !== undefined)
    throw usage('--or and the criteria ask for `or`, both of them.', 'Write all of it with --or, or with --criteria.')
  if (or.length > 0) criteria.or = or.map(text => conditionsOf('--or', text.split(/\s+&&\s+/)))
  return Object.keys(criteria).length === 0 ? undefined : (criteria as Criteria)
}
