// What an organization may have, and has: a bar for each quota, and another limit where the usual one does not do.
import { useState } from 'preact/hooks'
import type { Quota } from '../../typescript/index.ts'
import { textOf } from '../components/field.tsx'
import { type Column, ListTable } from '../components/list-table.tsx'
import { Shown } from '../components/shown.tsx'
import { counted, numberText, sizeText } from '../state/format.ts'
import { isUsualText, limitsOf } from '../state/quota-limits.ts'
import { tell } from '../state/toasts.ts'
import { typedSince } from '../state/typed-since.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import type { OfOrg } from './frame.tsx'

const NAMES: Record<string, string> = {
  entities: 'Entities',
  fileBytes: 'Bytes of files',
  types: 'Types',
  typeBytes: 'Bytes of types',
  workflowsPerTrigger: 'Workflows of one trigger key',
  runsPerDay: 'Runs in 24 hours',
  concurrentLoads: 'Loads at once',
}
const textFor = (name: string, value: number) => (name.endsWith('Bytes') ? sizeText(value) : numberText(value))

interface Row extends Quota {
  name: string
}

/** Above this share the bar warns. */
const NEARLY = 0.9

export function Quotas({ operator, slug }: OfOrg) {
  const quotas = useLoad(`quotas ${slug}`, signal => operator.quotas({ slug, signal }))
  return (
    <Shown of={quotas}>
      {value => (
        <Table
          rows={Object.entries(value).map(([name, quota]) => ({ name, ...quota }))}
          save={async changes => quotas.set(await operator.setQuotas({ slug, quotas: changes }))}
        />
      )}
    </Shown>
  )
}

interface TableProps {
  rows: readonly Row[]
  save(changes: Record<string, number | null>): Promise<void>
}

function Table({ rows, save }: TableProps) {
  /** As typed; nothing brings back the usual one. */
  const [typed, setTyped] = useState<Record<string, string>>({})
  const changed = Object.keys(typed)
  const set = (name: string, text: string) => setTyped(before => ({ ...before, [name]: text }))
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await save(limitsOf(typed))
    tell(`Set ${counted(changed.length, 'quota')}.`)
    setTyped(now => typedSince(now, typed))
  })
  const columns: readonly Column<Row>[] = [
    { name: 'Quota', show: ({ name }) => NAMES[name] ?? name },
    { name: 'Used', show: row => <Use of={row} /> },
    {
      name: 'Limit',
      show: ({ name, limit }) => (
        <input
          class="amount mono"
          inputMode="numeric"
          pattern="[0-9]+"
          placeholder="as usual"
          aria-label={`Limit: ${NAMES[name] ?? name}`}
          value={typed[name] ?? String(limit)}
          onInput={event => set(name, textOf(event))}
        />
      ),
    },
    {
      name: 'Which is',
      show: ({ name, isUsual, limit }) => {
        const text = typed[name] ?? String(limit)
        if (isUsualText(text)) return 'the usual one, when saved'
        return isUsual && text === String(limit) ? 'the usual one' : 'its own'
      },
    },
  ]
  return (
    <form class="stack" onSubmit={onSubmit}>
      <ListTable
        label="Quotas"
        rows={rows}
        columns={columns}
        keyOf={({ name }) => name}
        acts={({ name, isUsual }) =>
          !isUsual &&
          typed[name] !== '' && (
            <button type="button" onClick={() => set(name, '')}>
              As usual<span class="hidden"> for {NAMES[name] ?? name}</span>
            </button>
          )
        }
      />
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <div class="line">
        <button type="submit" class="main" disabled={isBusy || changed.length === 0}>
          {changed.length === 0 ? 'Set the quotas' : `Set ${counted(changed.length, 'quota')}`}
        </button>
        {changed.length > 0 && (
          <button type="button" disabled={isBusy} onClick={() => setTyped({})}>
            Discard
          </button>
        )}
        <span class="soft">Beyond a quota, writes are refused; nothing that is there goes.</span>
      </div>
    </form>
  )
}

function Use({ of: { name, used, limit } }: { of: Row }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  return (
    <span class="use">
      <span class="number">
        {textFor(name, used)} of {textFor(name, limit)}
      </span>
      <span class={share >= NEARLY ? 'bar nearly' : 'bar'} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  )
}
