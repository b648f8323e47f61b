// What the columns of a load can go to: the properties of the types that its rows are of, and columns with a meaning of their own.
import type { FilePreview } from '../../../features/loads/preview-shape.ts'
import type { TypeProperty } from '../../typescript/index.ts'
import { propertiesBelow, typeOf } from './catalog.ts'
import type { Candidate } from './column-suggestions.ts'
import { labelOf } from './labels.ts'
import { kindOfLoad, type LoadDraft } from './load-draft.ts'
import { typePathsOf } from './load-type-paths.ts'
import { unitedProperties } from './united-properties.ts'

export function loadProperties(draft: LoadDraft, preview: FilePreview | undefined): TypeProperty[] {
  const paths = preview && typePathsOf(draft, preview)
  const own = paths ? propertiesOfTypes(paths) : propertiesBelow(kindOfLoad(draft.loadType)?.entityName ?? 'item')
  // The service knows of no other type of theirs.
  return [...own, ...(draft.loadType.includes('PROJECT_ITEM') ? propertiesOfTypes(['project-item']) : [])]
}

const propertiesOfTypes = (paths: readonly string[]) => unitedProperties(paths.flatMap(path => typeOf(path) ?? []))

export function candidatesOf({ loadType }: LoadDraft, properties: readonly TypeProperty[]): Candidate[] {
  const reserved = (kindOfLoad(loadType)?.reserved ?? []).map(slug => ({ slug, label: slug }))
  const described = properties.map(each => ({ slug: each.slug, label: labelOf(each.slug, each) }))
  const seen = new Set<string>()
  return [...reserved, ...described].filter(({ slug }) => !seen.has(slug) && seen.add(slug))
}
