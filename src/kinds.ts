// THE TABLE: one row for each entity type, gathered from the features that own them. A type that differs from the
// others says so in its row, and nowhere else.
import { ASSORTMENT, ASSORTMENT_ITEM } from './features/assortments/kind.ts'
import {
  COLOR,
  CUSTOM_ENTITY,
  ITEM,
  PROJECT,
  PROJECT_ITEM,
  SAVED_VIEW,
  SIZE_RANGE_TEMPLATE,
  WORKSPACE,
} from './features/entities/kind.ts'
import { FILE } from './features/files/kind.ts'
import { LOADER_PROCESS } from './features/loads/kind.ts'
import { REVERT_PROCESS } from './features/reverts/kind.ts'
import { TYPE } from './features/types/kind.ts'
import { PROCESS, TASK, WEBHOOK, WORKFLOW } from './features/workflows/kind.ts'
import { gatherKinds, type Kind } from './platform/kind.ts'

export { kindNamed } from './platform/kind.ts'

export const KINDS: readonly Kind[] = gatherKinds([
  ITEM,
  PROJECT_ITEM,
  ASSORTMENT_ITEM,
  ASSORTMENT,
  PROJECT,
  WORKSPACE,
  COLOR,
  CUSTOM_ENTITY,
  SIZE_RANGE_TEMPLATE,
  SAVED_VIEW,
  TYPE,
  WORKFLOW,
  WEBHOOK,
  FILE,
  LOADER_PROCESS,
  REVERT_PROCESS,
  PROCESS,
  TASK,
])

export const KIND_NAMES: readonly string[] = KINDS.map(kind => kind.name)

const PLURALS = new Map(KINDS.map(kind => [kind.name, kind.path]))

/** `/item/…` is `/items/…` (N2). */
export function pluralPath(segment: string): string {
  return PLURALS.get(segment) ?? segment
}
