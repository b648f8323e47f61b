// One property of a type, to edit or to see.
import { useState } from 'preact/hooks'
import { PROPERTY_TYPES, type PropertyType, type TypeProperty } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import { textOf } from './field.tsx'

const LEVELS = ['all', 'family', 'option', 'override'] as const

const MARKS = ['required', 'indexed', 'archived'] as const
/** An index holds single values. */
const LISTS: readonly PropertyType[] = ['multi_select', 'object_ref_list', 'json']

export const PROPERTY_HEADS = ['Slug', 'Label', 'Kind', 'Options', 'Level', 'Required', 'Indexed', 'Archived']

export function InheritedRow({ property }: { property: TypeProperty }) {
  return (
    <tr>
      <th scope="row" class="mono">
        {property.slug}
      </th>
      <td>
        {property.label}
        <div class="sub">
          from <a href={to.type(property.inheritedFrom ?? '')}>{property.inheritedFrom}</a>
        </div>
      </td>
      <td>{property.propertyType}</td>
      <td>{optionsText(property)}</td>
      <td>{property.level ?? 'all'}</td>
      {MARKS.map(mark => (
        <td key={mark}>{property[mark] ? 'yes' : ''}</td>
      ))}
      <td />
    </tr>
  )
}

const optionsText = ({ options }: TypeProperty) =>
  (options ?? [])
    .map(option =>
      typeof option === 'string' || !option.label || option.label === option.value
        ? typeof option === 'string'
          ? option
          : option.value
        : `${option.value}=${option.label}`,
    )
    .join(', ')

/** `SS27=Spring 2027, FW27`: a value, and its label where it has another. */
function optionsOf(text: string): { value: string; label?: string }[] {
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const [value = '', label] = part.split('=')
      return label === undefined ? { value } : { value, label }
    })
}

interface PropertyRowProps {
  property: TypeProperty
  isReadOnly: boolean
  change(next: TypeProperty): void
  remove(): void
}

export function PropertyRow({ property, isReadOnly, change, remove }: PropertyRowProps) {
  const [options, setOptions] = useState(optionsText(property))
  const name = property.slug || 'new property'
  const hasOptions = property.propertyType === 'choice' || property.propertyType === 'multi_select'
  return (
    <tr>
      <td>
        <input
          class="mono"
          aria-label={`Slug of ${name}`}
          readOnly={isReadOnly}
          value={property.slug}
          onInput={event => change({ ...property, slug: textOf(event) })}
        />
      </td>
      <td>
        <input
          aria-label={`Label of ${name}`}
          readOnly={isReadOnly}
          value={property.label ?? ''}
          onInput={event => change({ ...property, label: textOf(event) })}
        />
      </td>
      <td>
        <select
          aria-label={`Kind of ${name}`}
          disabled={isReadOnly}
          value={property.propertyType}
          onChange={event => change({ ...property, propertyType: textOf(event) as PropertyType })}
        >
          {PROPERTY_TYPES.map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </td>
      <td>
        {hasOptions && (
          <input
            aria-label={`Options of ${name}`}
            readOnly={isReadOnly}
            placeholder="SS27=Spring 2027, FW27"
            value={options}
            onInput={event => setOptions(textOf(event))}
            onBlur={() => change({ ...property, options: optionsOf(options) })}
          />
        )}
      </td>
      <td>
        <select
          aria-label={`Level of ${name}`}
          disabled={isReadOnly}
          value={property.level ?? 'all'}
          onChange={event => change({ ...property, level: textOf(event) as (typeof LEVELS)[number] })}
        >
          {LEVELS.map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </td>
      {MARKS.map(mark => (
        <td key={mark}>
          <input
            type="checkbox"
            aria-label={`${name} is ${mark}`}
            disabled={isReadOnly || (mark === 'indexed' && LISTS.includes(property.propertyType))}
            checked={property[mark] ?? false}
            onChange={event => change({ ...property, [mark]: event.currentTarget.checked })}
          />
        </td>
      ))}
      <td class="acts">
        {!isReadOnly && (
          <button type="button" class="plain" onClick={remove}>
            Remove<span class="hidden"> {name}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
