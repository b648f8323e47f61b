// A new entity: its type, and the properties that the type has.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import { catalog, typeOf } from '../state/catalog.ts'
import { parseCell } from '../state/cell-text.ts'
import { labelOf } from '../state/columns.ts'
import { words } from '../state/fault-words.ts'
import { client } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { Dialog } from './dialog.tsx'
import { Field, textOf } from './field.tsx'
import { ValueInput } from './value-input.tsx'

/** References that an entity of this type cannot be without. */
const NEEDED: Record<string, string[]> = {
  'project-item': ['itemId', 'projectId'],
  'assortment-item': ['itemId', 'assortmentId'],
  color: ['hex'],
}

export function NewEntity({ entityName, path, close }: { entityName: string; path: string; close(): void }) {
  const { route } = useLocation()
  const paths = [...(catalog.value?.types.keys() ?? [])].filter(
    each => each === entityName || each.startsWith(`${entityName}:`),
  )
  const [typePath, setTypePath] = useState(entityName)
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const properties = (typeOf(typePath)?.properties ?? []).filter(({ archived }) => !archived)
  const plain = ['name', 'federatedId', ...(NEEDED[entityName] ?? [])]
  const set = (slug: string) => (text: string) => setTexts(before => ({ ...before, [slug]: text }))
  const submit = async (event: Event) => {
    event.preventDefault()
    const object: Record<string, unknown> = { typePath }
    const wrong: Record<string, string> = {}
    for (const slug of [...plain, ...properties.map(property => property.slug)]) {
      const property = properties.find(each => each.slug === slug)
      const parsed = parseCell(texts[slug] ?? '', property, undefined)
      if ('fault' in parsed) wrong[slug] = parsed.fault
      else if (parsed.value !== null) object[slug] = parsed.value
    }
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const made = await client.entities.create({ entityName, object })
      tell(`Added ${made.name ?? made.id}.`)
      close()
      route(to.entity(path, made.id))
    } catch (error) {
      const errors = error instanceof ApiError ? error.errors : []
      const byField = Object.fromEntries(errors.map(each => [each.path.slice(1).split('/')[0] ?? '', each.message]))
      setFaults({ ...byField, ...(errors.length === 0 && { '': words(error).what }) })
    }
    setBusy(false)
  }
  return (
    <Dialog title={`Add to ${path.replaceAll('-', ' ')}`} close={close}>
      <form class="stack" onSubmit={event => void submit(event)}>
        <Field label="Type" fault={faults.typePath}>
          {field => (
            <input
              {...field}
              list="new-type-paths"
              class="mono"
              value={typePath}
              onInput={event => setTypePath(textOf(event))}
            />
          )}
        </Field>
        <datalist id="new-type-paths">
          {paths.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
        {plain.map(slug => (
          <Field key={slug} label={labelOf(slug)} fault={faults[slug]}>
            {field => (
              <ValueInput attributes={field} property={undefined} text={texts[slug] ?? ''} change={set(slug)} />
            )}
          </Field>
        ))}
        {properties.map(property => (
          <Field
            key={property.slug}
            label={labelOf(property.slug, property) + (property.required ? ' (needed)' : '')}
            fault={faults[property.slug]}
          >
            {field => (
              <ValueInput
                attributes={field}
                property={property}
                text={texts[property.slug] ?? ''}
                change={set(property.slug)}
              />
            )}
          </Field>
        ))}
        {faults[''] && (
          <p class="fault" role="alert">
            {faults['']}
          </p>
        )}
        <div class="line">
          <button type="submit" class="main" disabled={isBusy}>
            Add
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}
