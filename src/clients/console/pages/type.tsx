// One type: its own properties to edit, those it inherits to see.
import { useState } from 'preact/hooks'
import { ApiError, type EntityType, type PropertyType, type TypeProperty } from '../../typescript/index.ts'
import { textOf } from '../parts/field.tsx'
import { HowTo } from '../parts/how-to.tsx'
import { Page } from '../parts/page.tsx'
import { Shown } from '../parts/shown.tsx'
import { to } from '../state/address.ts'
import { askCatalog } from '../state/catalog.ts'
import { words } from '../state/fault-words.ts'
import { client, me } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

const PROPERTY_TYPES: readonly PropertyType[] = [
  'string',
  'text',
  'number',
  'currency',
  'percent',
  'boolean',
  'date',
  'choice',
  'multi_select',
  'url',
  'object_reference',
  'object_ref_list',
  'json',
]
const LEVELS = ['all', 'family', 'option', 'override'] as const

export function TypePage({ typePath }: { typePath: string }) {
  const type = useLoad(typePath, async signal => {
    try {
      return await client.types.get({ typePath, signal })
    } catch (error) {
      // A root that nobody has described yet.
      if (error instanceof ApiError && error.status === 404 && !typePath.includes(':')) return undescribed(typePath)
      throw error
    }
  })
  return (
    <Page title={type.value?.label ?? typePath} crumbs={<a href={to.types}>Types</a>}>
      <Shown of={type}>{value => <Editor key={value.version} type={value} saved={() => void type.reload()} />}</Shown>
      <HowTo
        way={{
          path: `/types/${typePath}`,
          typescript: `const type = await client.types.get({ typePath: '${typePath}' })`,
          command: `types get ${typePath}`,
        }}
      />
    </Page>
  )
}

const undescribed = (typePath: string) =>
  ({ typePath, label: null, rootTypePath: typePath, properties: [] as TypeProperty[] }) as unknown as EntityType

function Editor({ type, saved }: { type: EntityType; saved(): void }) {
  const inherited = (type.properties ?? []).filter(({ inheritedFrom }) => inheritedFrom)
  const [own, setOwn] = useState(() => (type.properties ?? []).filter(({ inheritedFrom }) => !inheritedFrom))
  const [isChanged, setChanged] = useState(false)
  const [fault, setFault] = useState('')
  const canWrite = me.value?.scope === 'write'
  const change = (next: TypeProperty[]) => {
    setOwn(next)
    setChanged(true)
  }
  const save = async () => {
    const { typePath, label, id } = type
    const properties = own.map(property => ({ ...property }))
    try {
      if (id) await client.entities.update({ entityName: 'type', id, body: { properties } })
      else
        await client.entities.create({ entityName: 'type', object: { typePath, label: label ?? typePath, properties } })
      setChanged(false)
      setFault('')
      tell('Saved the type.')
      await askCatalog()
      saved()
    } catch (error) {
      setFault(words(error).what)
    }
  }
  return (
    <div class="stack">
      <p class="mono soft">{type.typePath}</p>
      <div class="scroll">
        <table class="list">
          <thead>
            <tr>
              {['Slug', 'Label', 'Kind', 'Options', 'Level', 'Needed', 'Archived'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {inherited.map(property => (
              <tr key={property.slug}>
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
                <td>{property.required ? 'yes' : ''}</td>
                <td>{property.archived ? 'yes' : ''}</td>
              </tr>
            ))}
            {own.map((property, at) => (
              <PropertyRow
                key={at}
                property={property}
                isReadOnly={!canWrite}
                change={next => change(own.map((each, index) => (index === at ? next : each)))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {canWrite && (
        <div class="line">
          <button type="button" onClick={() => change([...own, { slug: '', label: '', propertyType: 'string' }])}>
            Add a property
          </button>
          <button type="button" class="main" disabled={!isChanged} onClick={() => void save()}>
            Save the type
          </button>
        </div>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
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
}

function PropertyRow({ property, isReadOnly, change }: PropertyRowProps) {
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
      <td>
        <input
          type="checkbox"
          aria-label={`${name} is needed`}
          disabled={isReadOnly}
          checked={property.required ?? false}
          onChange={event => change({ ...property, required: event.currentTarget.checked })}
        />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${name} is archived`}
          disabled={isReadOnly}
          checked={property.archived ?? false}
          onChange={event => change({ ...property, archived: event.currentTarget.checked })}
        />
      </td>
    </tr>
  )
}
