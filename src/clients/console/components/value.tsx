// A value as people read it: options by their labels, references by their names, dates and numbers in their own language.
import type { ComponentChildren } from 'preact'
import type { TypeProperty } from '../../typescript/index.ts'
import { to } from '../state/address.ts'
import { optionsOf, rootByName } from '../state/catalog.ts'
import { DATA_TYPES } from '../state/counts.ts'
import { dayText, numberText, plainText } from '../state/format.ts'
import { memberName } from '../state/people.ts'
import { leadsTo, nameOf } from '../state/references.ts'
import { Time } from './time.tsx'

const TIMES = new Set(['createdOn', 'updatedOn', 'startedOn', 'endedOn', 'expiresOn', 'uploadedOn'])
const HEX = /^#[0-9a-f]{6}$/i

interface ReferenceProps {
  entityName: string
  id: string
  isPlain?: boolean | undefined
}

export function Reference({ entityName, id, isPlain = false }: ReferenceProps) {
  const name = nameOf(entityName, id).value
  const path = rootByName(entityName)?.path
  const shown = name === undefined ? '…' : (name ?? 'Deleted')
  if (isPlain && name !== null) return <span title={name}>{shown}</span>
  return path && name !== null ? <a href={to.entity(path, id)}>{shown}</a> : <span class="soft">{shown}</span>
}

const ID = /^[A-Za-z0-9_-]{16}$/

/** Of a property that may hold the id of anything: one type is asked after the other, and nearly always the first has it. */
function AnyReference({ id, isPlain }: Omit<ReferenceProps, 'entityName'>) {
  const entityName = DATA_TYPES.find(each => nameOf(each, id).value !== null)
  const isKnown = entityName !== undefined && (nameOf(entityName, id).value ?? id) !== id
  return isKnown ? <Reference entityName={entityName} id={id} isPlain={isPlain} /> : <span class="mono">{id}</span>
}

function Person({ id }: { id: string }) {
  return <>{memberName(id)}</>
}

interface ValueProps {
  slug: string
  value: unknown
  property?: TypeProperty | undefined
  /** Of a list of references: a cell is no place for hundreds of names. */
  most?: number
  /** In a grid a click selects the cell: names lead nowhere there. */
  isPlain?: boolean
}

export const Value = (props: ValueProps) => <>{shownValue(props)}</>

/** For a grid, whose cells are too many for a component each. */
export function shownValue({ slug, value, property, most, isPlain }: ValueProps): ComponentChildren {
  if (value === null || value === undefined || value === '') return null
  const entityName = leadsTo(slug)
  if (entityName && typeof value === 'string') return <Reference {...{ entityName, isPlain }} id={value} />
  if (entityName && Array.isArray(value))
    return listed(value, most, id => <Reference {...{ entityName, id, isPlain }} />)
  if (TIMES.has(slug) && typeof value === 'string') return <Time at={value} />
  if (typeof value === 'string' && HEX.test(value)) {
    return (
      <>
        <span class="swatch" style={{ background: value }} /> <code>{value}</code>
      </>
    )
  }
  if ((slug === 'createdById' || slug === 'updatedById') && typeof value === 'string') return <Person id={value} />
  if (slug === 'federatedId' || slug === 'id' || slug === 'identifier' || slug === 'typePath') {
    return <span class="mono">{String(value)}</span>
  }
  return byType(value, property, most, isPlain)
}

function listed(ids: readonly unknown[], most = ids.length, show: (id: string) => ComponentChildren) {
  return (
    <>
      {ids.slice(0, most).map((id, at) => (
        <span key={`${at} ${id}`}>
          {at > 0 && ', '}
          {show(String(id))}
        </span>
      ))}
      {ids.length > most && ` and ${numberText(ids.length - most)} more`}
    </>
  )
}

function byType(value: unknown, property: TypeProperty | undefined, most?: number, isPlain?: boolean) {
  const type = property?.propertyType
  if (property && (type === 'choice' || type === 'multi_select')) {
    const labels = new Map(optionsOf(property).map(option => [option.value, option.label]))
    return (Array.isArray(value) ? value : [value]).map(each => labels.get(String(each)) ?? String(each)).join(', ')
  }
  if (type === 'object_reference' && typeof value === 'string' && ID.test(value))
    return <AnyReference id={value} isPlain={isPlain} />
  if (type === 'object_ref_list' && Array.isArray(value)) {
    return listed(value, most, id => (ID.test(id) ? <AnyReference id={id} isPlain={isPlain} /> : id))
  }
  if (type === 'date' && typeof value === 'string') return dayText(value)
  if (type === 'currency' && typeof value === 'number') return numberWithCents(value)
  if (type === 'percent' && typeof value === 'number') return `${numberText(value)} %`
  if (type === 'url' && !isPlain && typeof value === 'string' && /^https?:\/\//.test(value)) {
    return (
      <a href={value} rel="noreferrer" target="_blank">
        {value}
      </a>
    )
  }
  return plainText(value)
}

const cents = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 20 })
const numberWithCents = (value: number) => cents.format(value)
