// The own properties of a type to edit, those it inherits to see; before it is saved, which entities would no longer fit.
import { useState } from 'preact/hooks'
import { ApiError, type EntityType, type TypeCheck, type TypeProperty } from '../../typescript/index.ts'
import { Field, textOf } from '../components/field.tsx'
import { Time } from '../components/time.tsx'
import { to } from '../state/address.ts'
import { askCatalog, rootByName } from '../state/catalog.ts'
import { words } from '../state/fault-words.ts'
import { counted } from '../state/format.ts'
import { memberName } from '../state/people.ts'
import { client, me } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { mergedProperties } from '../state/type-merge.ts'
import { useDirty } from '../state/unsaved.ts'
import { useOnce } from '../state/use-once.ts'
import { useTurns } from '../state/use-turns.ts'
import { InheritedRow, PROPERTY_HEADS, PropertyRow } from './property-row.tsx'

/** Without the mark that reading adds. */
const sent = ({ inheritedFrom: _, ...property }: TypeProperty): TypeProperty => property

/** A row keeps its key while others come and go. */
interface Row {
  key: number
  property: TypeProperty
}

const ownOf = ({ properties }: EntityType) => (properties ?? []).filter(({ inheritedFrom }) => !inheritedFrom).map(sent)

export function TypeEditor({ type: opened, saved }: { type: EntityType; saved(): Promise<void> }) {
  /** What the changes here are changes of. */
  const [type, setType] = useState(opened)
  const inherited = (type.properties ?? []).filter(({ inheritedFrom }) => inheritedFrom)
  const [rows, setRows] = useState<readonly Row[]>(() => ownOf(type).map((property, key) => ({ key, property })))
  const [theirs, setTheirs] = useState<EntityType | undefined>(undefined)
  const [both, setBoth] = useState<readonly string[]>([])
  const [made, setMade] = useState(rows.length)
  const [label, setLabel] = useState(type.label ?? '')
  const [isChanged, setChanged] = useState(false)
  useDirty(isChanged)
  const [fault, setFault] = useState('')
  const [check, setCheck] = useState<TypeCheck | undefined>(undefined)
  const turn = useTurns()
  const change = (next: readonly Row[]) => {
    setRows(next)
    setChanged(true)
    // An answer that is on its way is about what was here before.
    turn()
    setCheck(undefined)
  }
  const { typePath, id, version } = type
  const properties = rows.map(({ property }) => property)
  const { isBusy, start: save } = useOnce(async () => {
    try {
      const body = { label: label || typePath, properties }
      if (id) await client.entities.update({ entityName: 'type', id, body, ifMatch: version })
      else await client.entities.create({ entityName: 'type', object: { typePath, ...body } })
      setChanged(false)
      setFault('')
      tell('Saved the type.')
      await askCatalog()
      await saved()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) setFault(words(error).what)
      else setTheirs(await attempt('The type cannot be read again', () => client.types.get({ typePath })))
    }
  })
  const canWrite = me.value?.scope === 'write'
  // What is typed while it is being saved would go when it is shown anew.
  const isReadOnly = !canWrite || isBusy
  const takeIn = (now: EntityType) => {
    const merged = mergedProperties(ownOf(type), properties, ownOf(now))
    change(merged.properties.map((property, at) => ({ key: made + at, property })))
    setMade(made + merged.properties.length)
    if (label === (type.label ?? '')) setLabel(now.label ?? '')
    setType(now)
    setBoth(merged.both)
    setTheirs(undefined)
  }
  const look = async () => {
    const isLast = turn()
    const types = [{ typePath, label: label || typePath, properties }]
    const found = await attempt('The entities were not looked at', () => client.types.check({ types }))
    if (isLast()) setCheck(found)
  }
  return (
    <div class="stack">
      <div class="line">
        <Field label="Label">
          {field => (
            <input
              {...field}
              readOnly={isReadOnly}
              value={label}
              onInput={event => {
                setLabel(textOf(event))
                setChanged(true)
              }}
            />
          )}
        </Field>
        <p class="mono soft">{typePath}</p>
      </div>
      <section class="scroll" aria-label="Properties" {...REACHABLE}>
        <table class="list">
          <thead>
            <tr>
              {PROPERTY_HEADS.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span class="hidden">Acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {inherited.map(property => (
              <InheritedRow key={property.slug} property={property} />
            ))}
            {rows.map(({ key, property }) => (
              <PropertyRow
                key={key}
                property={property}
                isReadOnly={isReadOnly}
                change={next => change(rows.map(row => (row.key === key ? { key, property: next } : row)))}
                remove={() => change(rows.filter(row => row.key !== key))}
              />
            ))}
          </tbody>
        </table>
      </section>
      <IndexProgress type={type} />
      {canWrite && (
        <div class="line">
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              change([...rows, { key: made, property: { slug: '', label: '', propertyType: 'string' } }])
              setMade(made + 1)
            }}
          >
            Add a property
          </button>
          <button type="button" disabled={!isChanged} onClick={() => void look()}>
            Would entities still fit?
          </button>
          <button
            type="button"
            class="main"
            disabled={isBusy || !isChanged || theirs !== undefined}
            onClick={() => void save()}
          >
            Save the type
          </button>
        </div>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {theirs && <Faster of={theirs} takeIn={() => takeIn(theirs)} />}
      {both.length > 0 && <p role="status">Both of you changed {both.join(', ')}: it is shown as you have it.</p>}
      {check && <Fit of={check} />}
    </div>
  )
}

/** Somebody has saved the type since it was opened here. */
function Faster({ of: { updatedById, updatedOn }, takeIn }: { of: EntityType; takeIn(): void }) {
  return (
    <section class="error" role="alert">
      <h2>Somebody else was faster</h2>
      <p>
        {memberName(updatedById)} saved this type <Time at={updatedOn} />. Nothing of yours was saved, and nothing is
        lost.
      </p>
      <div class="line">
        <button type="button" class="main" onClick={takeIn}>
          Take their changes in, keep mine
        </button>
      </div>
    </section>
  )
}

/** What scrolls can be scrolled by keyboard. */
const REACHABLE = { tabIndex: 0 } as const

function Fit({ of: { checked, unfit, examples, nextPageKey } }: { of: TypeCheck }) {
  const looked = `${nextPageKey === null ? 'All' : 'The first'} ${counted(checked, 'entity', 'entities')}`
  if (unfit === 0) {
    return (
      <p role="status">
        <span class="state done">{looked} would still fit.</span>
      </p>
    )
  }
  return (
    <section class="panel stack" role="status">
      <p>
        <span class="state waiting">
          Of {looked.toLowerCase()}, {counted(unfit, 'would no longer fit', 'would no longer fit')}.
        </span>{' '}
        They stay as they are; a later change of them must fit.
      </p>
      <ul class="links">
        {examples.map(({ entityType, id, name, errors }) => (
          <li key={id}>
            <a href={to.entity(rootByName(entityType)?.path ?? 'items', id)}>{name ?? id}</a>{' '}
            <span class="soft">{errors.map(({ path, message }) => `${path}: ${message}`).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </section>
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
