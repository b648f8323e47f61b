// What criteria mean (N48), said again as simply as possible: a filter over entities in memory, and random entities and
// criteria to compare with. Shares no code with the service.
import type { Json } from '../api.ts'
import type { Random } from '../loads/differential/random.ts'

type Value = string | number | boolean

const TIMES = ['createdOn', 'updatedOn']
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function fits(entity: Json, criteria: Json): boolean {
  return Object.entries(criteria).every(([name, criterion]) =>
    name === 'or' && Array.isArray(criterion) && typeof criterion[0] === 'object'
      ? (criterion as Json[]).some(alternative => fits(entity, alternative))
      : holds(name, entity[name], criterion),
  )
}

function holds(name: string, stored: unknown, criterion: unknown): boolean {
  if (criterion === null) return stored == null
  if (Array.isArray(criterion)) return criterion.some(value => equals(name, stored, value))
  if (typeof criterion !== 'object') return equals(name, stored, criterion)
  const { gt, gte, lt, lte, ...others } = criterion as Json
  const bounds = { gt, gte, lt, lte }
  const isRange = Object.values(bounds).some(bound => bound !== undefined)
  if (isRange && !elements(stored).some(element => within(name, element, bounds))) return false
  return Object.entries(others).every(([operator, wanted]) => passes(name, stored, operator, wanted))
}

function passes(name: string, stored: unknown, operator: string, wanted: unknown): boolean {
  const text = (test: (element: string) => boolean) =>
    elements(stored).some(element => typeof element === 'string' && test(element))
  switch (operator) {
    case 'eq':
      return wanted === null ? stored == null : equals(name, stored, wanted)
    case 'not':
      return !passes(name, stored, 'eq', wanted)
    case 'in':
      return (wanted as unknown[]).some(value => equals(name, stored, value))
    case 'notIn':
      return !passes(name, stored, 'in', wanted)
    case 'between': {
      const [gte, lte] = wanted as unknown[]
      return elements(stored).some(element => within(name, element, { gte, lte }))
    }
    case 'contains':
      return text(element => new RegExp(escaped(wanted), 'iu').test(element))
    case 'startsWith':
      return text(element => new RegExp(`^${escaped(wanted)}`, 'iu').test(element))
    case 'exists':
      return (stored != null) === wanted
    default:
      throw new Error(operator)
  }
}

const escaped = (text: unknown) => String(text).replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)

function elements(stored: unknown): unknown[] {
  return Array.isArray(stored) ? stored : [stored]
}

function equals(name: string, stored: unknown, value: unknown): boolean {
  if (TIMES.includes(name) && DAY.test(String(value))) return String(stored).startsWith(String(value))
  return elements(stored).some(element => element === value)
}

function within(name: string, element: unknown, { gt, gte, lt, lte }: Json): boolean {
  const end = (bound: unknown, isLast: boolean) =>
    TIMES.includes(name) && DAY.test(String(bound)) ? `${bound}${isLast ? 'T23:59:59.999Z' : 'T00:00:00.000Z'}` : bound
  const compared = (bound: unknown) => typeof bound === typeof element && order(element as Value, bound as Value)
  const isMet = (bound: unknown, test: (comparison: number) => boolean) => {
    if (bound === undefined) return true
    const comparison = compared(bound)
    return comparison !== false && test(comparison)
  }
  return (
    isMet(end(gt, true), n => n > 0) &&
    isMet(end(gte, false), n => n >= 0) &&
    isMet(end(lt, false), n => n < 0) &&
    isMet(end(lte, true), n => n <= 0)
  )
}

/** Text by its bytes, as SQLite compares it. */
export function order(a: Value, b: Value): number {
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : Number(a) - Number(b)
}

const WORDS = [
  'Linen',
  'LINEN',
  'ſhirt',
  'Shirt',
  'Ärmel',
  'ärmel',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'straße',
  'STRAẞE',
  'ИНДИГО',
  'индиго',
  '100%',
  'a_b',
  "it's",
  '衬衫',
  '👕',
  'Kelvin',
  'ıI',
  '',
]
const TEXTS = [...WORDS, 'Linen Shirt', '10', '9', '2026-01-15', '2026-02-01']
const NUMBERS = [0, 1, -3, 2.5, 10, 1e3]
export const PROPERTIES = ['name', 'a', 'b', 'tags', 'version', 'typePath', 'createdOn', 'federatedId', 'or']

function scalar(random: Random): Value {
  const kind = random.below(10)
  return kind < 5 ? random.pick(TEXTS) : kind < 9 ? random.pick(NUMBERS) : random.chance(0.5)
}

function stored(random: Random): unknown {
  if (random.chance(0.15)) return null
  if (random.chance(0.1)) return { in: scalar(random), deep: { x: 1 } }
  return random.chance(0.3) ? Array.from({ length: random.below(4) }, () => scalar(random)) : scalar(random)
}

export function randomEntity(random: Random, n: number): Json {
  return {
    typePath: random.pick(['item', 'item:x', 'item:y']),
    ...(random.chance(0.8) && { name: random.pick(TEXTS) }),
    ...(random.chance(0.5) && { federatedId: `${random.pick(TEXTS)}-${n}` }),
    a: stored(random),
    b: stored(random),
    tags: stored(random),
    ...(random.chance(0.2) && { or: scalar(random) }),
  }
}

function criterion(random: Random, property: string, day: string): unknown {
  const isTime = property === 'createdOn'
  const value = () => (isTime ? random.pick([day, '2020-01-01', '2999-01-01T00:00:00.000Z']) : scalar(random))
  const values = () => Array.from({ length: 1 + random.below(3) }, value)
  const end = (like?: unknown): unknown => {
    if (isTime) return value()
    return (typeof like === 'number' || (like === undefined && random.chance(0.5)) ? NUMBERS : TEXTS).at(
      random.below(6),
    )
  }
  const between = () => {
    const from = end()
    const to = end(from)
    return order(from as Value, to as Value) <= 0 ? [from, to] : [to, from]
  }
  const needle = () => [...random.pick(TEXTS.filter(Boolean))].slice(0, 1 + random.below(5)).join('')
  const operators: (() => Json)[] = [
    () => ({ eq: random.chance(0.2) ? null : value() }),
    () => ({ not: random.chance(0.2) ? null : value() }),
    () => ({ in: values() }),
    () => ({ notIn: values() }),
    () => ({ gt: end() }),
    () => ({ gte: end() }),
    () => ({ lt: end() }),
    () => ({ lte: end() }),
    () => ({ between: between() }),
    () => ({ exists: random.chance(0.5) }),
    ...(isTime ? [] : [() => ({ contains: needle() }), () => ({ startsWith: needle() })]),
    () => {
      const gte = end()
      return { gte, lt: end(gte) }
    },
  ]
  if (random.chance(0.25)) return random.pick([null, value(), values()])
  const chosen = random.pick(operators)()
  // Ends of a range must agree in their type: the second operator is none of them.
  const others = [...operators.slice(0, 4), ...operators.slice(8, 12)]
  return random.chance(0.3) ? { ...random.pick(others)(), ...chosen } : chosen
}

export function randomCriteria(random: Random, day: string): Json {
  const some = (most: number) =>
    Object.fromEntries(
      Array.from({ length: 1 + random.below(most) }, () => random.pick(PROPERTIES)).map(name => [
        name,
        criterion(random, name, day),
      ]),
    )
  const criteria = random.chance(0.1) ? {} : some(2)
  if (random.chance(0.35)) criteria.or = Array.from({ length: 1 + random.below(3) }, () => some(2))
  return criteria
}
