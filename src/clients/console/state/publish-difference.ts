// What the next publish of an assortment would list: its items now against those of the last publish. Pure.

export interface MemberNow {
  itemId: string
  updatedOn: string
}

export interface PublishDifference {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** Items of the last publish: those before it, with what it added and without what it dropped. */
export function lastMembers(before: readonly string[], added: readonly string[], dropped: readonly string[]): string[] {
  const gone = new Set(dropped)
  return [...new Set([...before, ...added])].filter(id => !gone.has(id))
}

export function publishDifference(
  now: readonly MemberNow[],
  last: { itemIds: readonly string[]; createdOn: string } | undefined,
): PublishDifference {
  const known = new Set(last?.itemIds)
  const present = new Set(now.map(({ itemId }) => itemId))
  return {
    added: now.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId),
    changed: now
      .filter(({ itemId, updatedOn }) => known.has(itemId) && last !== undefined && updatedOn > last.createdOn)
      .map(({ itemId }) => itemId),
    removed: [...known].filter(itemId => !present.has(itemId)),
  }
}
