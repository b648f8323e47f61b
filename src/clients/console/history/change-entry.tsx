// A change as a sentence and a difference: version n against n−1, only what changed.
import type { ChangeRecord, TypeProperty } from '../../typescript/index.ts'
import { Difference } from '../components/difference.tsx'
import { Time } from '../components/time.tsx'
import { isReadOnly, labelOf } from '../state/columns.ts'
import { whoMade } from '../state/people.ts'

const VERBS = { create: 'made this', update: 'changed', delete: 'deleted this' } as const
const NAMED = 3
/** Set by the service with every write. */
const SILENT = new Set(['updatedOn', 'updatedById', 'version', 'orgId', 'createdOn', 'createdById', 'id'])

export function WhoMade({ record }: { record: Pick<ChangeRecord, 'createdByType' | 'createdById'> }) {
  const { text, href } = whoMade(record)
  return href ? <a href={href}>{text}</a> : <strong>{text}</strong>
}

export function changesOf(record: ChangeRecord) {
  return Object.entries(record.changes).filter(([slug]) => !SILENT.has(slug))
}

export function Sentence({ record, properties }: { record: ChangeRecord; properties: Properties }) {
  const slugs = changesOf(record).map(([slug]) => slug)
  const named = slugs.slice(0, NAMED).map(slug => labelOf(slug, properties.get(slug)).toLowerCase())
  const rest = slugs.length - named.length
  return (
    <>
      <WhoMade record={record} /> {VERBS[record.changeType]}
      {record.changeType === 'update' && ` ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`}{' '}
      <Time at={record.createdOn} />
    </>
  )
}

type Properties = ReadonlyMap<string, TypeProperty>

interface ChangeEntryProps {
  record: ChangeRecord
  properties: Properties
  isOpen: boolean
  href: string
  /** What is deleted returns whole, or not at all. */
  isDeleted: boolean
  /** Brings back the state of this version, whole or one property of it. */
  restore?: ((properties?: readonly string[]) => void) | undefined
}

export function ChangeEntry({ record, properties, isOpen, href, isDeleted, restore }: ChangeEntryProps) {
  const changes = changesOf(record)
  const restoreOne = isDeleted || record.changeType === 'delete' ? undefined : restore
  return (
    <li class={isOpen ? 'open' : ''} id={`v${record.version}`}>
      <div class="line spread">
        <span>
          <a href={href} {...(isOpen && { 'aria-current': 'true' as const })}>
            v{record.version}
          </a>{' '}
          <Sentence record={record} properties={properties} />
        </span>
        {restore && (
          <button type="button" onClick={() => restore()}>
            {record.changeType === 'delete' ? 'Bring back' : 'Restore this'}
          </button>
        )}
      </div>
      {(record.changeType === 'update' || isOpen) && (
        <div class="changes">
          {changes.map(([slug, { oldValue, newValue }]) => (
            <Change
              key={slug}
              {...{ slug, oldValue, newValue, property: properties.get(slug) }}
              restore={restoreOne && !isReadOnly(slug) ? () => restoreOne([slug]) : undefined}
            />
          ))}
        </div>
      )}
    </li>
  )
}

interface ChangeProps {
  slug: string
  property: TypeProperty | undefined
  oldValue: unknown
  newValue: unknown
  restore: (() => void) | undefined
}

function Change({ slug, property, oldValue, newValue, restore }: ChangeProps) {
  const label = labelOf(slug, property)
  return (
    <>
      <span class="soft">{label}</span>
      <Difference {...{ slug, property, oldValue, newValue }} />
      {restore ? (
        <button type="button" class="link" onClick={restore}>
          Restore<span class="hidden"> {label} of this version</span>
        </button>
      ) : (
        <span />
      )}
    </>
  )
}
