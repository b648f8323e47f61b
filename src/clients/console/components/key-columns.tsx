// What is told of a key in lists: what it may, where and until when, and whether it still works.
import type { ApiKey } from '../../typescript/index.ts'
import { memberName } from '../state/people.ts'
import type { Column } from './list-table.tsx'
import { Time } from './time.tsx'

const isPast = (time: string | null, now: number) => time !== null && Date.parse(time) <= now

export const isOver = ({ revokedOn, expiresOn }: ApiKey, now: number) =>
  isPast(revokedOn, now) || isPast(expiresOn, now)

function KeyState({ of: key }: { of: ApiKey }) {
  const now = Date.now()
  if (isPast(key.revokedOn, now)) return <span class="state">revoked</span>
  if (isPast(key.expiresOn, now)) return <span class="state">over</span>
  const end = key.revokedOn ?? key.expiresOn
  if (!end) return <span class="state done">works</span>
  return (
    <span class={`state ${key.revokedOn ? 'waiting' : 'done'}`}>
      ends <Time at={end} />
    </span>
  )
}

function Limits({ of: { scope, tier, entityTypes, addresses } }: { of: ApiKey }) {
  return (
    <>
      {scope === 'write' ? 'read and write' : 'read'}
      {entityTypes && <div class="sub">only {entityTypes.join(', ')}</div>}
      {addresses && (
        <div class="sub">
          from <span class="mono">{addresses.join(', ')}</span>
        </div>
      )}
      {tier && <div class="sub">tier {tier}</div>}
    </>
  )
}

export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  {
    name: 'Name',
    show: key => (
      <>
        {key.name}
        <div class="sub mono">{key.start}…</div>
      </>
    ),
  },
  {
    name: 'Kind',
    show: key => (
      <>
        {key.kind}
        {typeof key.userId === 'string' && <div class="sub">{memberName(key.userId)}</div>}
      </>
    ),
  },
  { name: 'May', show: key => <Limits of={key} /> },
  { name: 'Made', show: key => <Time at={key.createdOn} /> },
  { name: 'Last used', show: key => (key.lastUsedOn ? <Time at={key.lastUsedOn} /> : <span class="soft">never</span>) },
  { name: 'State', show: key => <KeyState of={key} /> },
]
