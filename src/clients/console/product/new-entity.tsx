// A new entity: its type, and the fields that the schema of the type has (N53).

import { useRef, useState } from 'preact/hooks'
import { ApiError } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { Shown } from '../components/shown.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { to } from '../state/address.ts'
import { catalog } from '../state/catalog.ts'
import { askCounts } from '../state/counts.ts'
import { words } from '../state/fault-words.ts'
import { bodyOf, type FormField, fieldsFor } from '../state/form-schema.ts'
import { ownValue } from '../state/own-value.ts'
import type { Schema } from '../state/schema-check.ts'
import { client } from '../state/session.ts'
import { useForm } from '../state/use-form.ts'
import { useArrive } from '../state/use-go.ts'
import { useLoad } from '../state/use-load.ts'

type Texts = Readonly<Record<string, string>>

interface NewEntityProps {
  entityName: string
  path: string
  close(): void
}

export function NewEntity({ entityName, path, close }: NewEntityProps) {
  const paths = [...(catalog.value?.types.keys() ?? [])].filter(each => each.startsWith(`${entityName}:`))
  const [typePath, setTypePath] = useState(entityName)
  const [typed, setTyped] = useState(entityName)
  // What is typed stays when the type is changed.
  const [texts, setTexts] = useState<Texts>({})
  const schema = useLoad(`create ${typePath}`, signal => client.types.schema({ typePath, variant: 'create', signal }))
  // While that of another type comes, the form stays as it was: somebody may be typing on.
  const last = useRef<Schema | undefined>(undefined)
  last.current = schema.value ?? last.current
  const shown = schema.error === undefined ? last.current : undefined
  const fields = shown ? inOrder(fieldsFor(entityName, shown)) : []
  const [faults, setFaults] = useState<Texts>({})
  const arrive = useArrive()
  const { isBusy, onSubmit } = useForm(async () => {
    const { body, wrong } = bodyOf(fields, texts, typePath, shown ?? {})
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    try {
      const made = await client.entities.create({ entityName, object: body })
      void askCounts(entityName)
      close()
      arrive(to.entity(path, made.id), `Added ${made.name ?? made.id}.`)
    } catch (error) {
      const errors = error instanceof ApiError ? error.errors : []
      const byField = Object.fromEntries(errors.map(each => [each.path.slice(1).split('/')[0] ?? '', each.message]))
      setFaults({ ...byField, ...(errors.length === 0 && { '': words(error).what }) })
    }
  })
  const isDirty = typed !== entityName || Object.values(texts).some(text => text !== '')
  return (
    <Dialog title={`Add to ${path.replaceAll('-', ' ')}`} {...{ close, isBusy, isDirty }}>
      <Field label="Type">
        {field => (
          <input
            {...field}
            list="new-type-paths"
            class="mono"
            value={typed}
            onInput={event => setTyped(textOf(event))}
            onChange={event => setTypePath(textOf(event) || entityName)}
          />
        )}
      </Field>
      <datalist id="new-type-paths">
        {[entityName, ...paths].map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Shown of={{ ...schema, value: shown }}>
        {() => <Form {...{ fields, texts, setTexts, faults, isBusy, onSubmit, close }} />}
      </Shown>
    </Dialog>
  )
}

const FIRST = ['name', 'federatedId']

function inOrder(fields: readonly FormField[]): FormField[] {
  const first = FIRST.flatMap(slug => fields.filter(field => field.slug === slug))
  const rest = fields.filter(field => !FIRST.includes(field.slug))
  return [...first, ...rest.filter(field => field.isRequired), ...rest.filter(field => !field.isRequired)]
}

interface FormProps {
  fields: readonly FormField[]
  texts: Texts
  setTexts(change: (before: Texts) => Texts): void
  faults: Texts
  isBusy: boolean
  onSubmit(event: Event): void
  close(): void
}

function Form({ fields, texts, setTexts, faults, isBusy, onSubmit, close }: FormProps) {
  return (
    <form class="stack" noValidate onSubmit={onSubmit}>
      {fields.map(({ slug, label, hint, isRequired, property }) => (
        <Field key={slug} label={label + (isRequired ? ' (needed)' : '')} hint={hint} fault={ownValue(faults, slug)}>
          {field => (
            <ValueInput
              attributes={{ ...field, ...(isRequired && { required: true }) }}
              property={property}
              text={ownValue(texts, slug) ?? ''}
              change={text => setTexts(before => ({ ...before, [slug]: text }))}
            />
          )}
        </Field>
      ))}
      <FormEnd act="Add" fault={faults['']} isBusy={isBusy} close={close} />
    </form>
  )
}
