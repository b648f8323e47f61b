// One property of a type, to edit or to see.
import { useState } from 'preact/hooks'
import { PROPERTY_TYPES, type PropertyType, type TypeProperty } from '../../typescript/index.ts'
import { textOf } from '../components/field.tsx'
import { to } from '../state/address.ts'
import { optionsOf, optionsText } from '../state/option-text.ts'
import { canBeIndexed, ofKind } from '../state/property-kind.ts'

/** Further lines scroll. */
const LINES_MOST = 8

const LEVELS = ['all', 'family', 'option', 'override'] as const

const MARKS = ['required', 'indexed', 'archived'] as const

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
      <td>{optionsText(property).replaceAll('\n', ', ')}</td>
      <td>{property.level ?? 'all'}</td>
      {MARKS.map(mark => (
        <td key={mark}>{property[mark] ? 'yes' : ''}</td>
      ))}
      <td />
    </tr>
  )
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
          onChange={event => change(ofKind(property, textOf(event) as PropertyType))}
        >
          {PROPERTY_TYPES.map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </td>
      <td>
        {hasOptions && (
          <textarea
            aria-label={`Options of ${name}`}
            title="One in each line; a label after =. Before a = of its own, a backslash."
            readOnly={isReadOnly}
            rows={Math.min(LINES_MOST, options.split('\n').length + 1)}
            placeholder={'SS27 = Spring 2027\nFW27'}
            value={options}
            onInput={event => {
              const text = textOf(event)
              setOptions(text)
              change({ ...property, options: optionsOf(text) })
            }}
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
            disabled={isReadOnly || (mark === 'indexed' && !canBeIndexed(property))}
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
