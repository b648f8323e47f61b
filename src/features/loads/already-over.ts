import type { Context } from '../../platform/context.ts'
import type { Entity } from '../../platform/db/row.ts'
import { Fault } from '../../platform/errors.ts'

/**
 * What a cancel answers of a load or a revert that is over, or as good as over: its report may still be written and its traces
 * cleaned up. Under a key it may be the repeat of a cancel whose answer was lost (N64).
 */
export function alreadyOver(
  { repeatId }: Context,
  what: 'load' | 'revert',
  entity: Entity,
  outcome: string | null | undefined,
): Entity {
  const recorded = outcome ?? String(entity.status)
  if (recorded === 'cancelled' && repeatId !== undefined) return entity
  throw new Fault('conflict', `The ${what} has ended: ${recorded}.`, { members: { recorded } })
}
