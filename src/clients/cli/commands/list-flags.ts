// What lists, counts and exports take alike: criteria and order.

import type { Command } from 'commander'
import type { Order } from '../../typescript/index.ts'
import type { Cli } from '../cli.ts'
import { usage } from '../failure.ts'
import { collect, objectFrom } from '../input.ts'
import { criteriaOf } from '../where.ts'

const WHERE =
  'a=b, a!=b, a>b, a>=b, a<b, a<=b, a~b (contains), a^=b (starts with); all of them must hold. a=5 is the number or the text, a="5" the text alone'
const OR = 'conditions parted by " && "; of several --or one must hold'
const CRITERIA = 'criteria as JSON, in its place, @file or -'

export interface CriteriaFlags {
  criteria?: string
  where: string[]
  or: string[]
}

export function withCriteria(command: Command): Command {
  return command
    .option('--where <condition>', WHERE, collect, [])
    .option('--or <conditions>', OR, collect, [])
    .option('--criteria <json>', CRITERIA)
}

export async function criteriaFrom(cli: Cli, flags: CriteriaFlags) {
  return criteriaOf(flags.criteria === undefined ? {} : await objectFrom(cli.world, flags.criteria), flags)
}

export function orderOf(text: string): Order {
  const [orderField = '', direction = 'asc'] = text.split(':')
  if (direction === 'asc' || direction === 'desc') return { orderField, order: direction }
  throw usage(
    `The order ${JSON.stringify(text)} has no direction that is known.`,
    'Write for example name or name:desc.',
  )
}
