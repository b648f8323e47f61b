// Filters in words and as the API takes them (N16, N48). Pure.

export interface Operator {
  name: string
  words: string
  /** How many values it takes. */
  values: 'one' | 'list' | 'two' | 'none'
}

export const OPERATORS: readonly Operator[] = [
  { name: 'eq', words: 'is', values: 'one' },
  { name: 'not', words: 'is not', values: 'one' },
  { name: 'in', words: 'is one of', values: 'list' },
  { name: 'notIn', words: 'is none of', values: 'list' },
  { name: 'contains', words: 'contains', values: 'one' },
  { name: 'startsWith', words: 'starts with', values: 'one' },
  { name: 'gt', words: '>', values: 'one' },
  { name: 'gte', words: '≥', values: 'one' },
  { name: 'lt', words: '<', values: 'one' },
  { name: 'lte', words: '≤', values: 'one' },
  { name: 'between', words: 'is between', values: 'two' },
  { name: 'exists', words: 'has a value', values: 'none' },
  { name: 'absent', words: 'has no value', values: 'none' },
]

export type Criteria = Record<string, unknown>

export function parseCriteria(text: string | undefined): Criteria {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Criteria) : {}
  } catch {
    return {}
  }
}

/** The plainest form that says it: a value, a list, null, or an object of one operator. */
export function criterionOf(operator: string, values: readonly unknown[]): unknown {
  if (operator === 'eq') return values[0]
  if (operator === 'in') return values
  if (operator === 'absent') return null
  if (operator === 'exists') return { exists: true }
  if (operator === 'notIn' || operator === 'between') return { [operator]: values }
  return { [operator]: values[0] }
}

const BETWEEN = /^BETWEEN (.+) and (.+)$/i

function operatorsIn(criterion: unknown): Record<string, unknown> {
  if (criterion === null) return { exists: false }
  if (Array.isArray(criterion)) return { in: criterion }
  if (typeof criterion === 'object') return criterion as Record<string, unknown>
  const [, from, until] = (typeof criterion === 'string' && BETWEEN.exec(criterion)) || []
  return from === undefined ? { eq: criterion } : { between: [from, until] }
}

/** One filter more on a property that has some: all count, and of one kind the last. */
export function unitedCriterion(before: unknown, next: unknown): unknown {
  if (before === undefined) return next
  const [had, more] = [operatorsIn(before), operatorsIn(next)]
  const isSaidAnew = Object.keys(had).every(name => Object.hasOwn(more, name))
  return isSaidAnew ? next : { ...had, ...more }
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `show` gives a single value as people know it: an option by its label, a reference by its name. */
export function criterionWords(criterion: unknown, show: (value: unknown) => string = plain): string {
  const text = (value: unknown): string => (Array.isArray(value) ? value.map(show).join(', ') : show(value))
  if (criterion === null) return 'has no value'
  if (Array.isArray(criterion)) return `is one of ${text(criterion)}`
  if (typeof criterion !== 'object') {
    const between = typeof criterion === 'string' ? BETWEEN.exec(criterion) : null
    return between ? `is between ${between[1]} and ${between[2]}` : `is ${text(criterion)}`
  }
  return Object.entries(criterion as object)
    .map(([name, value]) => {
      if (name === 'exists') return value === false ? 'has no value' : 'has a value'
      if (name === 'between' && Array.isArray(value)) return `is between ${text(value[0])} and ${text(value[1])}`
      return `${OPERATORS.find(operator => operator.name === name)?.words ?? name} ${text(value)}`
    })
    .join(' and ')
}
