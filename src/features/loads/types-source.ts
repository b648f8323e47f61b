// The types of an organization as the pipeline reads them: inheritance resolved, defaults filled in.
import type { Database } from '../../platform/db/client.ts'
import type { Level, Property, PropertyType, Target, TypeSource } from './pipeline/property.ts'

interface StoredProperty {
  slug: string
  label?: string | null
  propertyType: PropertyType
  options?: (string | { value: string; label?: string | null })[] | null
  level?: Level | null
  archived?: boolean | null
  required?: boolean | null
}

/** The own properties of each type path below the roots. */
export async function readTypes(
  db: Database,
  orgId: string,
  roots: readonly Target[],
): Promise<Record<string, Property[]>> {
  const rows = await db.all({
    sql: `SELECT e.type_path, e.data -> '$.properties' AS properties FROM entities e
      WHERE e.org_id = ?1 AND e.kind = 'type' AND EXISTS (
        SELECT 1 FROM json_each(?2) r WHERE e.type_path = r.value OR substr(e.type_path, 1, length(r.value) + 1) = r.value || ':')`,
    params: [orgId, JSON.stringify(roots)],
  })
  return Object.fromEntries(
    rows.map(({ type_path, properties }) => [
      String(type_path),
      properties === null ? [] : (JSON.parse(String(properties)) as StoredProperty[]).map(propertyOf),
    ]),
  )
}

function propertyOf(stored: StoredProperty): Property {
  return {
    slug: stored.slug,
    label: stored.label ?? stored.slug,
    propertyType: stored.propertyType,
    options: (stored.options ?? []).map(option =>
      typeof option === 'string'
        ? { value: option, label: option }
        : { value: option.value, label: option.label ?? option.value },
    ),
    level: stored.level ?? 'all',
    archived: stored.archived ?? false,
    required: stored.required ?? false,
  }
}

/** A path has its own properties and those of the paths above it; the nearest definition of a slug holds. */
export function typeSource(own: Record<string, Property[]>): TypeSource {
  const known = new Map<string, Property[]>()
  return typePath => {
    const made = known.get(typePath)
    if (made) return made
    const bySlug = new Map<string, Property>()
    const segments = typePath.split(':')
    for (let depth = 1; depth <= segments.length; depth++) {
      const path = segments.slice(0, depth).join(':')
      for (const property of Object.hasOwn(own, path) ? (own[path] ?? []) : []) bySlug.set(property.slug, property)
    }
    const properties = [...bySlug.values()]
    if (known.size > 1000) known.clear()
    known.set(typePath, properties)
    return properties
  }
}
