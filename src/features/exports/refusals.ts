// What stands against loading an export again: loads find entities, and the families of options, by federatedId (N51).
import type { Context } from '../../platform/context.ts'
import type { Entity } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { listed } from '../../platform/nearest.ts'
import type { Criteria } from '../entities/criteria.ts'
import { listReader } from '../entities/list-reader.ts'
import type { Position } from '../entities/list-sql.ts'
import type { Operators } from '../entities/operators.ts'
import { LOAD_TARGETS, type LoadTarget } from '../loads/targets.ts'
import type { ExportColumns } from './columns.ts'
import type { ExportQuery } from './contract.ts'
import { keylessFamilies } from './store.ts'

/** The load type that writes entities of this type alone. */
export function loadTargetFor({ name }: Kind, { criteria = {} }: ExportQuery): LoadTarget {
  const target = LOAD_TARGETS.find(each => each.name === name && each.home === undefined)
  if (!target) {
    throw new Fault('conflict', `No load writes entities of type ${name} alone. Export them as \`csv\` or \`jsonl\`.`)
  }
  if (target.needsSubtype && (typeof criteria.typePath !== 'string' || criteria.typePath === name)) {
    throw new Fault(
      'conflict',
      `A load has one type only: export with criteria such as {typePath: "${name}:<subtype>"}.`,
    )
  }
  return target
}

export function refuseMisread({ misread }: ExportColumns): void {
  if (misread.length === 0) return
  const detail = `A load would read these columns as other properties: ${listed(misread)}. Name others as \`properties\`, or rename them.`
  throw new Fault('conflict', detail)
}

export async function refuseKeyless(context: Context, kind: Kind, query: ExportQuery): Promise<void> {
  const asked = operatorsOf(query.criteria?.federatedId)
  if (asked.exists || asked.in || (asked.eq ?? null) !== null) return
  const keyless = await firstOf(context, kind, query, { federatedId: { ...asked, exists: false } })
  if (keyless) throw refusal(kind, keyless.id, 'entities', 'Give it one, or leave it out by criteria.')
}

export async function refuseKeylessFamilies(context: Context, kind: Kind, query: ExportQuery): Promise<void> {
  const asked = operatorsOf(query.criteria?.itemFamilyId)
  for await (const ids of keylessFamilies(context.db, context.org.id)) {
    const among = asked.in ? ids.filter(id => asked.in?.includes(id)) : ids
    const option = among.length && (await firstOf(context, kind, query, { itemFamilyId: { ...asked, in: among } }))
    if (option) {
      throw refusal(
        kind,
        String(option.itemFamilyId),
        'families of options',
        'Give it one, or leave its options out by criteria.',
      )
    }
  }
}

function refusal({ name }: Kind, id: string, what: string, advice: string): Fault {
  const detail = `Loads find ${what} by federatedId, and ${id} has none. ${advice}`
  return new Fault('conflict', detail, { members: { entityReference: `${name}:${id}` } })
}

/** A criterion as operators, which add up. */
function operatorsOf(criterion: Criteria[string] = {}): Operators {
  if (Array.isArray(criterion)) return { in: criterion as NonNullable<Operators['in']> }
  return typeof criterion === 'object' && criterion !== null ? criterion : { eq: criterion }
}

/** Of those that are exported and fit these criteria as well. */
async function firstOf(
  context: Context,
  kind: Kind,
  { criteria, q }: ExportQuery,
  more: Criteria,
): Promise<Entity | undefined> {
  const read = await listReader(context, kind, { ...criteria, ...more }, { sought: q })
  let after: Position | undefined
  do {
    const page = await read(after, 1)
    if (page.entities[0]) return page.entities[0]
    after = page.next
  } while (after)
  return undefined
}
