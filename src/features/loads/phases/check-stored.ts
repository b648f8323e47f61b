// What the rows of a chunk may not say because of what is stored: a family is no option (N73), and an identifier is one entity's.
import type { Statement } from '../../../platform/db/client.ts'
import { kindNamed } from '../../../platform/kind.ts'
import type { LoadScope } from '../checkpoint.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import { familyHeld } from '../drafts/item-claims.ts'
import type { ItemRow } from '../drafts/item-rows.ts'
import type { Issues } from '../issues.ts'
import { shown } from '../rows/cell-readers.ts'
import { type Stored, storedUnder } from '../store/existing.ts'
import { type OtherRole, otherRoles, ownersOf } from '../store/roles.ts'

/** What the rows are about, as it is stored, and those of their options that are stored as something else. */
export function toLookUp(
  { org }: LoadScope,
  reading: Reading,
  hasData: boolean,
): [Statement<Stored>[], Statement<OtherRole>[]] {
  const options: [optionKey: string, familyKey: string][] = []
  for (const { optionKey, familyKey } of reading.items)
    if (optionKey !== undefined) options.push([optionKey, familyKey])
  return [storedUnder(org.id, scopeOf(reading), keysOf(reading), hasData), otherRoles(org.id, options)]
}

function keysOf({ items, entities }: Reading): string[] {
  const keys = new Set<string>()
  for (const { familyKey, optionKey } of items) {
    keys.add(familyKey)
    if (optionKey !== undefined) keys.add(optionKey)
  }
  for (const { key } of entities) keys.add(key)
  return [...keys]
}

/** The rows of a load whose federatedIds are told apart by type path have one type path. */
function scopeOf({ targets: [{ name }], typePathSeen }: Reading): string {
  return kindNamed(name).federatedScope === 'kind' ? name : (typePathSeen ?? name)
}

/** An item that was neither family nor option gets what its new family has, as one that comes from another family does. */
const NO_FAMILY = ''

/** Also finds out which options leave the family that they have so far. */
export function checkRoles(
  { items }: Reading,
  stored: readonly Stored[],
  others: readonly OtherRole[],
  issues: Issues,
): void {
  const isOption = new Set(stored.flatMap(({ key, itemFamilyId }) => (itemFamilyId === null ? [] : [key])))
  if (isOption.size + others.length === 0) return
  const options = new Map(others.map(other => [other.key, other]))
  for (const row of items) {
    const { line, familyKey, optionKey } = row
    if (isOption.has(familyKey)) {
      const message = `${familyKey} is stored as an option, and cannot be a family. Check the key, or delete the option first.`
      issues.error(line, 'itemFamilyFederatedId', 'INVALID_DATA', message)
    }
    const other = optionKey === undefined ? undefined : options.get(optionKey)
    if (other?.isFamily) {
      const message = `${optionKey} is stored as a family, and cannot be an option. Check the key, or delete the family first.`
      issues.error(line, 'itemOptionFederatedId', 'INVALID_DATA', message)
    } else if (other) row.movedFrom = other.itemFamilyId ?? NO_FAMILY
  }
}

/** Of an option that rows for other assortments give another family, the first row holds (N32). */
export async function findHeldFamilies({ db, org }: LoadScope, { items, claims }: Reading): Promise<void> {
  const strays = new Map<ItemRow, string>()
  for (const row of items) {
    const claim = row.placement && row.optionKey !== undefined ? claims.held('item', row.optionKey) : undefined
    const held = claim && familyHeld(claim)
    if (held !== undefined && held !== row.familyKey) strays.set(row, held)
  }
  if (strays.size === 0) return
  const pairs = [...strays].map(([{ optionKey = '' }, family]) => [optionKey, family] as const)
  const others = (await db.batch(otherRoles(org.id, pairs))).flatMap(({ results }) => results)
  const options = new Map(others.map(other => [other.key, other]))
  for (const [row, family] of strays) {
    const other = options.get(row.optionKey ?? '')
    row.heldFamily = family
    row.movedFrom = other && (other.itemFamilyId ?? NO_FAMILY)
  }
}

type Identified = Reading['subjects'][number] & { identifier: string }

function isIdentified(subject: Reading['subjects'][number]): subject is Identified {
  return subject.identifier !== undefined && subject.identifier !== ''
}

export async function checkIdentifiers({ db, org }: LoadScope, reading: Reading, issues: Issues): Promise<void> {
  if (!reading.claims.has('identifier')) return
  const [{ name }] = reading.targets
  const scope = scopeOf(reading)
  const named = reading.subjects.filter(isIdentified)
  const owners = await ownersOf(
    db,
    org.id,
    name,
    named.map(({ identifier }) => identifier),
  )
  for (const { identifier, key, line } of named) {
    const first = String(reading.claims.held('identifier', identifier)?.shared ?? key)
    const stored = owners.get(identifier)
    const owner = stored ? stored.federatedId : first
    const isElsewhere = stored !== undefined && stored.federatedScope !== scope
    if (owner === key && !isElsewhere) continue
    const whose = `${owner ?? 'an entity without federatedId'}${isElsewhere ? ` of ${stored.federatedScope}` : ''}`
    const message = `The identifier ${shown(identifier)} is that of ${whose}.`
    issues.error(line, 'identifier', 'VALIDATION_ERROR', message)
  }
}
