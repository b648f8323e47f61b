// What goes with the kind of a property. Pure.
import type { PropertyType, TypeProperty } from '../../typescript/index.ts'

/** An index holds single values. */
const LISTS: readonly PropertyType[] = ['multi_select', 'object_ref_list', 'json']

export const canBeIndexed = ({ propertyType }: TypeProperty) => !LISTS.includes(propertyType)

/** Without a mark that the service refuses for this kind, and that nobody could take away any more. */
export function ofKind({ indexed, ...rest }: TypeProperty, propertyType: PropertyType): TypeProperty {
  const changed = { ...rest, propertyType }
  return indexed && canBeIndexed(changed) ? { ...changed, indexed } : changed
}
