// Which project items and assortment items are stored already, of those that a chunk would make.
import type { LoadScope } from '../checkpoint.ts'
import type { Draft } from '../drafts/draft.ts'
import { findAssortmentItems, findByKey, findProjectItems, pairKey } from '../store/existing.ts'
import type { Targets } from '../targets.ts'

export async function findParts(
  { db, org }: LoadScope,
  [main]: Targets,
  projectId: string | null,
  parts: readonly Draft[],
): Promise<ReadonlySet<Draft>> {
  const items = await findByKey(db, org.id, main.name, [...new Set(parts.map(({ key }) => key))])
  const placed = parts.flatMap(draft => {
    const itemId = items.get(draft.key)?.id
    return itemId === undefined ? [] : [{ draft, itemId, assortmentId: draft.assortmentId ?? '' }]
  })
  const inProject = [...new Set(placed.map(({ itemId }) => itemId))]
  const [projectItems, members] = await Promise.all([
    findProjectItems(db, org.id, projectId ?? '', inProject),
    findAssortmentItems(
      db,
      org.id,
      placed.map(({ assortmentId, itemId }) => [assortmentId, itemId] as const),
    ),
  ])
  const isStored = ({ draft, itemId, assortmentId }: (typeof placed)[number]) =>
    draft.target.home === 'projectId' ? projectItems.has(itemId) : members.has(pairKey(assortmentId, itemId))
  return new Set(placed.filter(isStored).map(({ draft }) => draft))
}
