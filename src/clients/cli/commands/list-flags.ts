// What lists and exports take alike: criteria and order.

import type { Criteria, Criterion, Order } from '../../typescript/index.ts'
import type { Cli } from '../cli.ts'
import { usage } from '../failure.ts'
import { isRecord, objectFrom, pairsOf } from '../input.ts'

/** Undefined where there are none. */
export async function criteriaFrom(
  cli: Cli,
  flags: { criteria?: string; where: string[] },
): Promise<Criteria | undefined> {
  const given = flags.criteria === undefined ? {} : await objectFrom(cli.world, flags.criteria)
  const criteria = criteriaOf({ ...given, ...pairsOf('--where', flags.where) })
  return Object.keys(criteria).length === 0 ? undefined : criteria
}

function criteriaOf(values: Record<string, unknown>): Criteria {
  const criteria: Record<string, Criterion> = {}
  for (const [key, value] of Object.entries(values)) {
    if (isRecord(value))
      throw usage(`The criterion ${key} is an object.`, 'Give a value, a list, null or BETWEEN a and b.')
    criteria[key] = value as Criterion
  }
  return criteria
}

export function orderOf(text: string): Order {
  const [orderField = '', direction = 'asc'] = text.split(':')
  if (direction === 'asc' || direction === 'desc') return { orderField, order: direction }
  throw usage(
    `The order ${JSON.stringify(text)} has no direction that is known.`,
    'Write for example name or name:desc.',
  )
}
