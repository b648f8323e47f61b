// Which editor a property has: one place decides it, for whoever draws the editor and whoever opens it.
import type { TypeProperty } from '../../typescript/index.ts'
import { leadsTo } from './references.ts'

export type EditorKind = 'yes-no' | 'choice' | 'date' | 'reference' | 'lines' | 'number' | 'text'

interface Edited {
  property: TypeProperty | undefined
  /** Of a property that no type defines. */
  slug?: string | undefined
  /** What no type defines holds yes or no. */
  isBoolean?: boolean | undefined
}

export function editorOf({ property, slug, isBoolean }: Edited): EditorKind {
  const type = property?.propertyType
  const name = property?.slug ?? slug ?? ''
  if (type === 'boolean' || isBoolean) return 'yes-no'
  const isList = type === 'object_ref_list' || name.endsWith('Ids')
  if (type === 'object_reference' || (leadsTo(name) && !isList)) return 'reference'
  if (type === 'choice' || type === 'date') return type
  if (type === 'text' || type === 'json') return 'lines'
  return type === 'number' || type === 'currency' || type === 'percent' ? 'number' : 'text'
}

const CHOSEN: readonly EditorKind[] = ['yes-no', 'choice', 'date']

/** Others cannot show the letter that they would begin with. */
export const beginsByLetter = (edited: Edited) => !CHOSEN.includes(editorOf(edited))
