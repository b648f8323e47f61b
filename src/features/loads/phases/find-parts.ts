// What is stored of the project items and assortment items that a chunk would make, and of those of their families.
import type { LoadScope } from '../checkpoint.ts'
import type { StoredParts } from '../drafts/check-drafts.ts'
import type { Draft } from '../drafts/draft.ts'
import { findAssortmentItems, findByKey, findProjectItems, pairKey } from '../store/existing.ts'
import type { Targets } from '../targets.ts'

export async function findParts(
  { db, org }: LoadScope,
  [main]: Targets,
  projectId: string | null,
  parts: readonly Draft[],
): Promise<StoredParts> {
  const keys = new Set(parts.flatMap(({ key, family }) => (family === undefined ? [key] : [key, family])))
  const items = await findByKey(db, org.id, main.name, [...keys])
  const ids = [...new Set([...items.values()].map(({ id }) => id))]
  const pairs = parts.flatMap(({ key, family = key, assortmentId = '' }) =>
    [...new Set([key, family])].flatMap(each => {
      const itemId = items.get(each)?.id
      return itemId === undefined ? [] : [[assortmentId, itemId] as const]
    }),
  )
  const [projectItems, members] = await Promise.all([
    findProjectItems(db, org.id, projectId ?? '', ids),
    findAssortmentItems(db, org.id, pairs),
  ])
  const partOf = ({ target, assortmentId = '' }: Draft, key: string) => {
    const itemId = items.get(key)?.id
    if (itemId === undefined) return undefined
    return target.home === 'projectId' ? projectItems.get(itemId) : members.get(pairKey(assortmentId, itemId))
  }
  return {
    drafts: new Set(parts.filter(draft => partOf(draft, draft.key))),
    families: new Map(
      parts.flatMap(draft => {
        const family = draft.family === undefined ? undefined : partOf(draft, draft.family)
        return family ? [[draft, family.data] as const] : []
      }),
    ),
  }
}
