// Deleting a type. Where something is still of it, what that is and where to find it.
import { useState } from 'preact/hooks'
import { ApiError, type EntityType } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { criteriaQuery, to } from '../state/address.ts'
import { askCatalog, catalog, rootByName, titleOf } from '../state/catalog.ts'
import { words } from '../state/fault-words.ts'
import { client } from '../state/session.ts'
import { tellUndoable } from '../state/undo.ts'
import { useArrive, useGo } from '../state/use-go.ts'
import { useOnce } from '../state/use-once.ts'

export function DeleteType({ type, close }: { type: EntityType; close(): void }) {
  const arrive = useArrive()
  const go = useGo()
  const { typePath, id, version } = type
  const [fault, setFault] = useState<unknown>(undefined)
  const { isBusy, start } = useOnce(async () => {
    try {
      await client.entities.delete({ entityName: 'type', id })
    } catch (error) {
      setFault(error)
      return
    }
    const undo = async () => {
      await client.entities.restore({ entityName: 'type', id, version })
      await askCatalog()
      go(to.type(typePath))
    }
    await askCatalog()
    close()
    arrive(to.types)
    tellUndoable(`Deleted ${typePath}.`, undo, 'Bringing back failed')
  })
  const isUsed = fault instanceof ApiError && fault.code === 'in_use'
  return (
    <Dialog title={`Delete ${typePath}?`} close={close} isBusy={isBusy}>
      <form
        class="stack"
        onSubmit={event => {
          event.preventDefault()
          void start()
        }}
      >
        <p>Its own properties go with it, and types below it would lose them. Values that entities have stay.</p>
        {isUsed && <Users typePath={typePath} />}
        <FormEnd
          act="Delete the type"
          fault={fault === undefined || isUsed ? undefined : words(fault).what}
          isDanger
          isBusy={isBusy}
          close={close}
        />
      </form>
    </Dialog>
  )
}

/** A type goes when nothing is of it any more. */
function Users({ typePath }: { typePath: string }) {
  const root = rootByName(typePath.split(':')[0] ?? '')
  const below = [...(catalog.value?.types.keys() ?? [])].filter(path => path.startsWith(`${typePath}:`))
  const path = root?.path ?? 'items'
  return (
    <section class="error" role="alert">
      <h3>It is in use</h3>
      <p>
        Nothing was deleted: entities or other types are still of this path. Give them another type, or delete them.
      </p>
      <ul class="links">
        <li>
          <a href={to.entities(path, criteriaQuery({ typePath: { startsWith: typePath } }))}>
            {titleOf(path)} of {typePath}
          </a>
        </li>
        {below.map(each => (
          <li key={each}>
            <a class="mono" href={to.type(each)}>
              {each}
            </a>
          </li>
        ))}
      </ul>
      <p class="soft">
        Properties that are no longer wanted can be archived instead: they are hidden, their values stay.
      </p>
    </section>
  )
}
