// The properties of one entity in the order of its type, inherited ones marked with where they come from; to read and to edit.

import { useState } from 'preact/hooks'
import { ApiError, type Entity, type TypeProperty } from '../../typescript/index.ts'
import { Copy } from '../components/copy.tsx'
import { Value } from '../components/value.tsx'
import { ValueInput } from '../components/value-input.tsx'
import { typeOf } from '../state/catalog.ts'
import { cellText, parseCell } from '../state/cell-text.ts'
import { isReadOnly, labelOf } from '../state/columns.ts'
import { type FormField, fieldFault, fieldsFor } from '../state/form-schema.ts'
import { ownValue } from '../state/own-value.ts'
import type { Schema } from '../state/schema-check.ts'
import { client } from '../state/session.ts'
import { takeBack } from '../state/take-back.ts'
import { attempt, tellFault } from '../state/toasts.ts'
import { typedSince } from '../state/typed-since.ts'
import { tellUndoable } from '../state/undo.ts'
import { useDirty } from '../state/unsaved.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import { tellWritten } from '../state/written.ts'

const LAST = ['id', 'version', 'createdOn', 'createdById', 'updatedOn', 'updatedById']
const HIDDEN = new Set(['orgId', ...LAST])
const COPIED = new Set(['id', 'identifier', 'federatedId'])

interface Line {
  slug: string
  property: TypeProperty | undefined
  /** By which typed text is read: as the type describes it, or as it is built in. */
  field: TypeProperty | undefined
  hint: string | undefined
}

/** What the entity has, what its type describes, and what could be filled in besides. */
function linesOf(entity: Entity, fields: readonly FormField[]): Line[] {
  const type = typeOf(entity.typePath)
  const properties = (type?.properties ?? []).filter(
    ({ archived, slug }) => !archived || ownValue(entity, slug) != null,
  )
  const first = ['name', 'federatedId', 'typePath', ...('identifier' in entity ? ['identifier'] : [])]
  const described = properties.map(({ slug }) => slug)
  const others = Object.keys(entity).filter(
    slug => !HIDDEN.has(slug) && !first.includes(slug) && !described.includes(slug),
  )
  const slugs = new Set([...first, ...described, ...others, ...fields.map(({ slug }) => slug)])
  return [...slugs].map(slug => {
    const property = properties.find(each => each.slug === slug)
    const known = fields.find(each => each.slug === slug)
    return { slug, property, field: property ?? known?.property, hint: known?.hint }
  })
}

interface PropertiesPanelProps {
  entityName: string
  entity: Entity
  canWrite: boolean
}

export function PropertiesPanel({ entityName, entity, canWrite }: PropertiesPanelProps) {
  const [texts, setTexts] = useState<Record<string, string> | undefined>(undefined)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const { typePath } = entity
  const isEditing = texts !== undefined
  const schema = useLoad<Schema>(isEditing ? `update ${typePath}` : '', async signal =>
    isEditing ? client.types.schema({ typePath, variant: 'update', signal }) : {},
  )
  const lines = linesOf(entity, fieldsFor(entityName, schema.value ?? {}))
  useDirty(lines.some(line => isTyped(line, texts ?? {}, entity)))
  /** What was typed stays, over what is stored now: the next Save is of that. */
  const readAgain = async () => {
    const now = await attempt('It cannot be read again', () => client.entities.get({ entityName, id: entity.id }))
    if (!now) return
    tellWritten(entityName, [now])
    tellFault(
      'Nothing was saved',
      new Error('Somebody else has changed it. What they changed stands in the history; look, and save again.'),
    )
  }
  const { isBusy, onSubmit } = useForm(async () => {
    const { patch, wrong } = patchOf(lines, texts ?? {}, entity, schema.value)
    setFaults(wrong)
    if (Object.keys(wrong).length > 0) return
    if (Object.keys(patch).length === 0) {
      setTexts(undefined)
      return
    }
    try {
      const next = await client.entities.update({ entityName, id: entity.id, body: patch, ifMatch: entity.version })
      // What was typed meanwhile stays, to be saved by itself.
      setTexts(before => stillTyped(before ?? {}, texts ?? {}))
      tellWritten(entityName, [next])
      tellUndoable('Saved.', () => takeBack(entityName, [{ before: entity, after: next, slugs: Object.keys(patch) }]))
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) return readAgain()
      const errors = error instanceof ApiError ? error.errors : []
      setFaults(Object.fromEntries(errors.map(each => [each.path.split('/')[1] ?? '', each.message])))
      tellFault('Nothing was saved', error)
    }
  })
  return (
    <form onSubmit={onSubmit}>
      <div class="line spread">
        <h2>Properties</h2>
        {canWrite && !texts && (
          <button type="button" onClick={() => setTexts({})}>
            Edit
          </button>
        )}
        {texts && (
          <span class="line">
            <button type="submit" class="main" disabled={isBusy}>
              Save
            </button>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => {
                setTexts(undefined)
                setFaults({})
              }}
            >
              Cancel
            </button>
          </span>
        )}
      </div>
      <dl class="properties">
        {lines.map(line => (
          <PropertyLine
            key={line.slug}
            {...{ ...line, value: ownValue(entity, line.slug), fault: ownValue(faults, line.slug) }}
            text={texts ? (ownValue(texts, line.slug) ?? textOf(line, entity)) : undefined}
            change={text => setTexts(before => ({ ...before, [line.slug]: text }))}
          />
        ))}
        {LAST.map(slug => (
          <PropertyLine
            key={slug}
            {...{ slug, property: undefined, value: entity[slug], fault: undefined, text: undefined }}
          />
        ))}
      </dl>
    </form>
  )
}

/** Nothing where all of it was sent: then nobody is editing any more. */
function stillTyped(now: Record<string, string>, sent: Record<string, string>) {
  const since = typedSince(now, sent)
  return Object.keys(since).length > 0 ? since : undefined
}

interface PropertyLineProps extends Omit<Line, 'field' | 'hint'> {
  field?: TypeProperty | undefined
  value: unknown
  /** Undefined while it is only read. */
  text: string | undefined
  fault: string | undefined
  hint?: string | undefined
  change?: (text: string) => void
}

function PropertyLine({ slug, property, field, value, text, fault, hint, change }: PropertyLineProps) {
  const label = labelOf(slug, property)
  const id = `property-${slug}`
  return (
    <>
      <dt>
        {label}
        {property?.required && <span class="hint"> (needed)</span>}
        {property?.inheritedFrom && <div class="soft mono">from {property.inheritedFrom}</div>}
      </dt>
      <dd>
        {text !== undefined && change && !isReadOnly(slug) ? (
          <>
            <ValueInput
              attributes={{
                id,
                'aria-label': label,
                ...(fault && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` }),
              }}
              property={field}
              slug={slug}
              text={text}
              change={change}
              isBoolean={typeof value === 'boolean'}
            />
            {hint && <span class="hint">{hint}</span>}
            {fault && (
              <span class="fault" id={`${id}-fault`}>
                {fault}
              </span>
            )}
          </>
        ) : (
          <>
            <Value slug={slug} value={value} property={property} />{' '}
            {COPIED.has(slug) && typeof value === 'string' && <Copy text={value} what={label} />}
          </>
        )}
      </dd>
    </>
  )
}

const textOf = ({ slug, field }: Line, entity: Entity) => cellText(ownValue(entity, slug), field)

const isTyped = (line: Line, texts: Record<string, string>, entity: Entity) =>
  (ownValue(texts, line.slug) ?? textOf(line, entity)) !== textOf(line, entity)

function patchOf(lines: readonly Line[], texts: Record<string, string>, entity: Entity, schema: Schema | undefined) {
  const patch: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const line of lines.filter(each => isTyped(each, texts, entity))) {
    const { slug, field } = line
    const parsed = parseCell(ownValue(texts, slug) ?? '', field, ownValue(entity, slug))
    const fault = 'fault' in parsed ? parsed.fault : fieldFault(schema ?? {}, slug, parsed.value)
    if (fault !== undefined) wrong[slug] = fault
    else if ('value' in parsed) patch[slug] = parsed.value
  }
  return { patch, wrong }
}
