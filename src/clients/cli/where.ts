// What `--where` and `--or` say, as criteria: `season=SS27`, `price>=40`, `price!=40`, `name~shirt`, `name^=Linen`. Pure.

import type { Criteria, Criterion, Operators } from '../typescript/index.ts'
import { usage } from './failure.ts'
import { isRecord, jsonOrText } from './input.ts'

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
  if (sign === '=') return { property, criterion: jsonOrText(rest) as Criterion }
  const value = jsonOrText(rest.trim())
  if (sign === '!=') return { property, criterion: Array.isArray(value) ? { notIn: value } : { not: value as string } }
  const isText = sign === '~' || sign === '^='
  // `code~12` looks for text, whatever it may be else; quotes around it do not count.
  return { property, criterion: { [OPERATOR[sign]]: isText && typeof value !== 'string' ? rest.trim() : value } }
}

/** Several conditions on one property must all hold. */
function together(option: string, property: string, before: Criterion | undefined, next: Criterion): Criterion {
  if (before === undefined || !(isRecord(before) || isRecord(next))) return next
  const [first, second] = [operatorsOf(before), operatorsOf(next)]
  const twice = Object.keys(second).find(operator => operator in first)
  if (twice)
    throw usage(
      `${option} asks ${property} twice for ${twice}.`,
      'Ask once, or write the criteria as JSON with --criteria.',
    )
  return { ...first, ...second }
}

function operatorsOf(criterion: Criterion): Operators {
  if (isRecord(criterion)) return criterion
  return Array.isArray(criterion) ? { in: criterion } : { eq: criterion as string }
}

function conditionsOf(option: string, texts: readonly string[], given: Record<string, unknown> = {}) {
  const criteria = { ...given } as Record<string, Criterion>
  for (const text of texts) {
    const { property, criterion } = partOf(option, text)
    criteria[property] = together(option, property, criteria[property], criterion)
  }
  return criteria
}

export interface WhereFlags {
  where: readonly string[]
  or: readonly string[]
}

/** Each `--or` is a set of conditions, parted by ` && `, of which one set must hold beside all of `--where`. */
export function criteriaOf(given: Record<string, unknown>, { where, or }: WhereFlags): Criteria | undefined {
  const criteria: Record<string, unknown> = conditionsOf('--where', where, given)
  if (or.length > 0) criteria.or = or.map(text => conditionsOf('--or', text.split(/\s+&&\s+/)))
  return Object.keys(criteria).length === 0 ? undefined : (criteria as Criteria)
}
