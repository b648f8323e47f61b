// Sign-ins, keys, people and acts of the operator, newest first; what is looked for stands in the address, and all of it can be kept
// as a file.
import { useState } from 'preact/hooks'
import type { AuditEntry, Page } from '../../typescript/index.ts'
import { Field, textOf } from '../components/field.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Time } from '../components/time.tsx'
import { usePageState } from '../state/address.ts'
import { saveCsv } from '../state/downloads.ts'
import { counted, plainText } from '../state/format.ts'
import { memberName } from '../state/people.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { type PageAt, readAll, usePages } from '../state/use-pages.ts'

const PAGE_SIZE = 100

export function AuditTrail() {
  return (
    <AuditTable
      of="the organization"
      read={at => client.people.audit({ limit: PAGE_SIZE, ...at })}
      nameOf={memberName}
    />
  )
}

const actionText = ({ action }: AuditEntry) => action.replaceAll('_', ' ')
const detailText = ({ detail }: AuditEntry) =>
  Object.entries(detail)
    .filter(([, value]) => plainText(value) !== '')
    .map(([name, value]) => `${name}: ${plainText(value)}`)
    .join(', ')

interface AuditTableProps {
  /** Whose trail it is. */
  of: string
  read(at: PageAt & { limit?: number }): Promise<Page<AuditEntry>>
  /** The name of whoever acted, where it is known. */
  nameOf?: (id: string) => string
}

const WHO: Record<AuditEntry['actorType'], string> = {
  user: 'a member',
  app: 'a key',
  operator: 'the operator',
  nobody: 'nobody signed in',
}

export function AuditTable({ of, read, nameOf = id => id }: AuditTableProps) {
  const { query, set } = usePageState()
  const [isSaving, setSaving] = useState(false)
  const audit = usePages(`audit of ${of}`, read)
  const whoText = ({ actorId, actorType }: AuditEntry) =>
    actorId && actorType !== 'operator' ? nameOf(actorId) : WHO[actorType]
  const columns: readonly Column<AuditEntry>[] = [
    { name: 'What', show: actionText },
    { name: 'Who', show: whoText, look: 'break' },
    { name: 'From', show: entry => entry.address, look: 'mono' },
    { name: 'Details', show: detailText, look: 'break' },
    { name: 'When', show: entry => <Time at={entry.createdOn} /> },
  ]
  const word = (query.find ?? '').trim().toLowerCase()
  const by = query.by ?? ''
  const fits = (entry: AuditEntry) =>
    (by === '' || entry.actorType === by) &&
    [actionText(entry), whoText(entry), entry.address ?? '', detailText(entry)].join(' ').toLowerCase().includes(word)
  const save = async () => {
    setSaving(true)
    const all = await attempt('The trail could not be read', () => readAll(read))
    setSaving(false)
    if (!all) return
    const rows = all
      .filter(fits)
      .map(entry => [entry.createdOn, entry.action, whoText(entry), entry.address ?? '', detailText(entry)])
    saveCsv('audit.csv', ['when', 'what', 'who', 'from', 'details'], rows)
    tell(`Saved ${counted(rows.length, 'entry', 'entries')} as audit.csv.`)
  }
  const found = audit.value?.results.filter(fits).length ?? 0
  const seen = audit.value?.results.length ?? 0
  return (
    <>
      <div class="line">
        <Field label="Find">
          {field => (
            <input
              {...field}
              type="search"
              placeholder="Action or person"
              value={query.find ?? ''}
              onInput={event => set({ find: textOf(event) }, true)}
            />
          )}
        </Field>
        <Field label="By">
          {field => (
            <select {...field} value={by} onChange={event => set({ by: textOf(event) }, true)}>
              <option value="">everybody</option>
              {Object.entries(WHO).map(([type, text]) => (
                <option key={type} value={type}>
                  {text}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" disabled={isSaving} onClick={() => void save()}>
          {isSaving ? 'Reading all of it…' : 'Download as CSV'}
        </button>
      </div>
      {(word !== '' || by !== '') && (
        <p class="soft" role="status">
          {found} of the {counted(seen, 'entry', 'entries')} read so far.
        </p>
      )}
      <PagedTable
        label="Audit trail"
        pages={audit}
        columns={columns}
        keyOf={({ id }) => id}
        fits={fits}
        empty={<p class="soft">{seen > 0 ? 'None of the entries read so far fits.' : 'Nothing has happened yet.'}</p>}
      />
    </>
  )
}
