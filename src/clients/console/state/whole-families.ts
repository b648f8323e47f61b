// Options stay with their family beyond the page that was read: what belongs to a family of the page is read with it.
import type { Entity, Page } from '../../typescript/index.ts'

/** Lists what fits the filter of the page and these criteria as well. */
type List = (criteria: Record<string, readonly string[]>) => Promise<readonly Entity[]>

const familyOf = ({ id, itemFamilyId }: Entity) =>
  typeof itemFamilyId === 'string' && itemFamilyId !== id ? itemFamilyId : undefined

/** A list that is whole needs nothing. Rows that a later page brings again are drawn once (`arranged`). */
export async function withWholeFamilies(page: Page<Entity>, isFirst: boolean, list: List): Promise<Page<Entity>> {
  if (isFirst && page.nextPageKey === null) return page
  const there = new Set(page.results.map(({ id }) => id))
  const families = [...new Set(page.results.map(row => familyOf(row) ?? row.id))]
  if (families.length === 0) return page
  const away = families.filter(id => !there.has(id))
  const [above, options] = await Promise.all([
    away.length > 0 ? list({ id: away }) : [],
    list({ itemFamilyId: families }),
  ])
  const more = [...above, ...options].filter(({ id }) => !there.has(id))
  return { ...page, results: [...page.results, ...more] }
}
