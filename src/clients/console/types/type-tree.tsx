// The tree of type paths: each entity type of the service, and what the organization has described below it.

import { useState } from 'preact/hooks'
import type { EntityType, RootType } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Skeleton } from '../components/shown.tsx'
import { to } from '../state/address.ts'
import { askCatalog, catalog } from '../state/catalog.ts'
import { counted } from '../state/format.ts'
import { client } from '../state/session.ts'
import { typePathFault } from '../state/type-path-fault.ts'
import { useForm } from '../state/use-form.ts'
import { useArrive } from '../state/use-go.ts'

export function Types() {
  const [isAdding, setAdding] = useState(false)
  const known = catalog.value
  return (
    <Page
      title="Types"
      acts={
        <button type="button" class="main" onClick={() => setAdding(true)}>
          Describe a type
        </button>
      }
    >
      <p class="soft">
        A type says which properties entities of its path have; a path below it inherits them.{' '}
        <a href="/docs/types">More</a>
      </p>
      {known ? (
        <ul class="tree panel">
          {known.roots.map(root => (
            <Branch key={root.path} root={root} />
          ))}
        </ul>
      ) : (
        <Skeleton />
      )}
      {isAdding && <NewType close={() => setAdding(false)} />}
      <HowTo
        way={{
          path: '/types',
          typescript: 'const { results, entityTypes } = await client.types.list()',
          command: 'types list',
        }}
      />
    </Page>
  )
}

/** Of the properties: how many there are, how many are indexed, how many are archived. */
function propertyWords({ properties = [] }: EntityType): string {
  const marked = (mark: 'indexed' | 'archived') => properties.filter(property => property[mark]).length
  return [
    counted(properties.length, 'property', 'properties'),
    marked('indexed') > 0 && `${marked('indexed')} indexed`,
    marked('archived') > 0 && `${marked('archived')} archived`,
  ]
    .filter(Boolean)
    .join(', ')
}

function Branch({ root }: { root: RootType }) {
  const types = [...(catalog.value?.types.values() ?? [])]
  const own = types.find(({ typePath }) => typePath === root.rootTypePath)
  const below = types
    .filter(({ typePath }) => typePath.startsWith(`${root.rootTypePath}:`))
    .sort((a, b) => a.typePath.localeCompare(b.typePath))
  return (
    <li>
      <a class="mono" href={to.type(root.rootTypePath)}>
        {root.rootTypePath}
      </a>{' '}
      <span class="soft">
        {own ? propertyWords(own) : 'not described'} · {root.about}
      </span>
      {below.length > 0 && (
        <ul>
          {below.map(type => (
            <li key={type.typePath} style={{ paddingLeft: `${(type.typePath.split(':').length - 1) * 20}px` }}>
              <a class="mono" href={to.type(type.typePath)}>
                {type.typePath}
              </a>{' '}
              <span class="soft">
                {type.label} · {propertyWords(type)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function NewType({ close }: { close(): void }) {
  const arrive = useArrive()
  const [typePath, setTypePath] = useState('item:')
  const [label, setLabel] = useState('')
  const [isSent, setSent] = useState(false)
  const wrong = typePathFault(typePath, catalog.value?.roots ?? [], path => catalog.value?.types.has(path) ?? false)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    setSent(true)
    if (wrong !== undefined) return
    await client.entities.create({ entityName: 'type', object: { typePath, label, properties: [] } })
    await askCatalog()
    close()
    arrive(to.type(typePath), `Added ${typePath}.`)
  })
  return (
    <Dialog title="Describe a type" close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <TextField
          label="Type path"
          hint="For example item:shirt; it inherits from item."
          fault={(isSent ? wrong : undefined) ?? fault}
          class="mono"
          required
          value={typePath}
          set={setTypePath}
        />
        <TextField label="Label" value={label} set={setLabel} />
        <FormEnd act="Add the type" isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}
