// What a draft makes of an entity, and how that differs from what is stored. Pure.
import { canonical } from '../../../platform/canonical.ts'
import type { Draft } from './draft.ts'
import type { Properties } from './row-values.ts'

/** `inherited`: where neither its row nor the entity itself has one. */
export function typePathOf({ set, make, target }: Draft, stored?: unknown, inherited?: unknown): string {
  return String(set.typePath ?? stored ?? make.typePath ?? inherited ?? target.name)
}

/** What a new entity is made of. */
export function madeOf(draft: Draft, fields: Properties = {}, typePath = typePathOf(draft)): Properties {
  const data: Properties = { ...draft.make, typePath }
  for (const part of [draft.set, fields]) {
    for (const slug in part) {
      if (part[slug] !== null) data[slug] = canonical(part[slug])
      else if (Object.hasOwn(data, slug)) delete data[slug]
    }
  }
  return data
}

/** What an earlier file has named by `optionName` is not renamed by one that has no such column (N73). */
export function isNamedApart({ family, set }: Draft, { optionName }: Properties): boolean {
  return family !== undefined && optionName != null && !Object.hasOwn(set, 'optionName')
}

/** Whether a stored entity is not yet what a new one would be made as. */
export function lacksRole({ roles: stored }: Properties, roles: unknown): boolean {
  if (!Array.isArray(roles)) return false
  return !Array.isArray(stored) || roles.some(role => !stored.includes(role))
}

export function differences(data: Properties, set: Properties): Properties | undefined {
  let patch: Properties | undefined
  for (const slug in set) {
    const value = set[slug]
    if (value === data[slug]) continue
    const stored = Object.hasOwn(data, slug) ? (data[slug] ?? null) : null
    if (value === stored) continue
    if (typeof value === 'object' && value !== null && JSON.stringify(value) === JSON.stringify(canonical(stored)))
      continue
    patch ??= {}
    patch[slug] = value
  }
  return patch
}
