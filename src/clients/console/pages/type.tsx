// One type: its own properties to edit, those it inherits to see.
import { useState } from 'preact/hooks'
import { ApiError, type EntityType, type TypeProperty } from '../../typescript/index.ts'
import { HowTo } from '../parts/how-to.tsx'
import { Page } from '../parts/page.tsx'
import { InheritedRow, PROPERTY_HEADS, PropertyRow } from '../parts/property-row.tsx'
import { Shown } from '../parts/shown.tsx'
import { to } from '../state/address.ts'
import { askCatalog } from '../state/catalog.ts'
import { words } from '../state/fault-words.ts'
import { client, me } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

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
              {PROPERTY_HEADS.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {inherited.map(property => (
              <InheritedRow key={property.slug} property={property} />
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
      <IndexProgress type={type} />
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

/** Until an index has all entities, lists answer without it. */
function IndexProgress({ type: { indexes = [] } }: { type: EntityType }) {
  const filling = indexes.filter(({ state }) => state === 'filling')
  return filling.map(({ property, done, total }) => (
    <p key={property} class="soft">
      The index of {property} is being filled
      {total ? <progress max={total} value={done} aria-label={`Index of ${property}`} /> : '…'}
    </p>
  ))
}
