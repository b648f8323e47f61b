// A single value in plain words, where no element can stand: options by their labels, references by their names.
import type { TypeProperty } from '../../typescript/index.ts'
import { optionsOf } from './catalog.ts'
import { leadsTo, nameOf } from './references.ts'

export function valueWords(slug: string, property: TypeProperty | undefined, value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const entityName = leadsTo(slug)
  if (entityName) {
    const name = nameOf(entityName, value).value
    return name === undefined ? '…' : (name ?? 'Deleted')
  }
  const option = property?.options ? optionsOf(property).find(each => each.value === value) : undefined
  return option?.label ?? value
}
