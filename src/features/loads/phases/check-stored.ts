// What the rows of a chunk may not say because of what is stored: a family is no option (N73), and an identifier is one entity's.
import type { LoadScope } from '../checkpoint.ts'
import type { Reading } from '../drafts/chunk-reader.ts'
import type { Issues } from '../issues.ts'
import { optionsAmong, otherRoles, ownersOf } from '../store/roles.ts'

/** Also finds out which options leave the family that they have so far. */
export async function checkRoles({ db, org }: LoadScope, reading: Reading, issues: Issues): Promise<void> {
  const { items } = reading
  if (items.length === 0) return
  const pairs = items.flatMap(({ optionKey, familyKey }) =>
    optionKey === undefined ? [] : [[optionKey, familyKey] as const],
  )
  const [options, others] = await Promise.all([
    optionsAmong(db, org.id, [...new Set(items.map(({ familyKey }) => familyKey))]),
    otherRoles(db, org.id, pairs),
  ])
  if (options.size === 0 && others.length === 0) return
  const byKey = new Map(others.map(other => [other.key, other]))
  for (const row of items) {
    const { line, familyKey, optionKey } = row
    if (options.has(familyKey)) {
      const message = `${familyKey} is stored as an option, and cannot be a family. Check the key, or delete the option first.`
      issues.error(line, 'itemFamilyFederatedId', 'INVALID_DATA', message)
    }
    const other = optionKey === undefined ? undefined : byKey.get(optionKey)
    if (other?.isFamily) {
      const message = `${optionKey} is stored as a family, and cannot be an option. Check the key, or delete the family first.`
      issues.error(line, 'itemOptionFederatedId', 'INVALID_DATA', message)
    } else if (other?.itemFamilyId) row.movedFrom = other.itemFamilyId
  }
}

export async function checkIdentifiers({ db, org }: LoadScope, reading: Reading, issues: Issues): Promise<void> {
  const [{ name }] = reading.targets
  const named = reading.subjects.flatMap(({ identifier, ...rest }) => (identifier ? [{ identifier, ...rest }] : []))
  if (named.length === 0) return
  const owners = await ownersOf(
    db,
    org.id,
    name,
    named.map(({ identifier }) => identifier),
  )
  for (const { identifier, key, line } of named) {
    const first = reading.claims.held('identifier', identifier)?.shared ?? key
    const owner = owners.has(identifier) ? owners.get(identifier) : first
    if (owner === key) continue
    const message = `The identifier ${JSON.stringify(identifier)} is that of ${owner ?? 'an entity without federatedId'}.`
    issues.error(line, 'identifier', 'VALIDATION_ERROR', message)
  }
}
