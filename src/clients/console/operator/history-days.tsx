// How long the history of an organization is kept, and after how long it moves into files.
import { useState } from 'preact/hooks'
import type { Organization } from '../../typescript/index.ts'
import { TextField } from '../components/field.tsx'
import { tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import type { OfOrg } from './frame.tsx'

export interface OfKnownOrg extends OfOrg {
  org: Organization
  changed(): void
}

const DAYS = [
  {
    name: 'historyRetentionDays',
    label: 'History is kept for days',
    empty: 'for ever',
    told: 'Its history is kept',
    before: 'for',
  },
  {
    name: 'historyArchiveDays',
    label: 'History moves into files after days',
    empty: 'never',
    told: 'Its history moves into files',
    before: 'after',
  },
] as const

export function HistoryDays(of: OfKnownOrg) {
  return (
    <>
      {DAYS.map(setting => (
        <DaysForm key={setting.name} setting={setting} {...of} />
      ))}
    </>
  )
}

function DaysForm({ setting, operator, slug, org, changed }: OfKnownOrg & { setting: (typeof DAYS)[number] }) {
  const { name, label, empty, told, before } = setting
  const stored = String(org[name] ?? '')
  const [days, setDays] = useState(stored)
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.updateOrg({ slug, change: { [name]: days === '' ? null : Number(days) } })
    tell(`${told} ${days === '' ? empty : `${before} ${days} days`}.`)
    changed()
  })
  return (
    <form class="joined" onSubmit={onSubmit}>
      <TextField
        label={label}
        hint={`Empty: ${empty}.`}
        fault={fault}
        type="number"
        min="1"
        max="36500"
        value={days}
        set={setDays}
      />
      <button type="submit" disabled={isBusy || days === stored}>
        Set
      </button>
    </form>
  )
}
