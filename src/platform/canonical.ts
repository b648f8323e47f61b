// JSON values that differ only in the order of keys are equal (N66): with sorted keys they are the same text.

/** The value with the keys of all its objects in order; what holds no object is handed back as it is. */
export function canonical<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(canonical) as T
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, canonical(inner)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as T
}

/** The properties of an entity, each with sorted keys; their own order is free, because each is compared separately. */
export function canonicalFields(...parts: Record<string, unknown>[]): Record<string, unknown> {
  const ordered: Record<string, unknown> = {}
  for (const fields of parts) for (const name in fields) ordered[name] = canonical(fields[name])
  return ordered
}
