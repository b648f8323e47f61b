// Moves an organization to another database, and shows how far it is (N57).
import { useState } from 'preact/hooks'
import type { DataStore, Organization, OrganizationMove } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field, textOf } from '../components/field.tsx'
import { FormEnd } from '../components/form-end.tsx'
import { Shown } from '../components/shown.tsx'
import { Time } from '../components/time.tsx'
import { isMissing } from '../state/fault-words.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import type { OfOrg } from './frame.tsx'

const LOOK_MS = 2000

interface Props extends OfOrg {
  org: Organization
  changed(): void
}

export function MoveOrganization({ operator, slug, org, changed }: Props) {
  const databases = useLoad('databases', signal => operator.databases({ signal }))
  return (
    <section class="panel stack" aria-labelledby="place">
      <div class="line spread">
        <h2 id="place">Database</h2>
        <span class="mono">{org.database}</span>
      </div>
      <Shown of={databases}>
        {({ results }) => {
          const others = results.filter(({ name }) => name !== org.database)
          if (others.length === 0) return <p class="soft">The deployment has no other that it could move to.</p>
          return <Move operator={operator} slug={slug} org={org} others={others} changed={changed} />
        }}
      </Shown>
    </section>
  )
}

function Move({ operator, slug, org, others, changed }: Props & { others: DataStore[] }) {
  const [isChoosing, setChoosing] = useState(false)
  const [isMoving, setMoving] = useState(org.moving)
  const [isWanted, setWanted] = useState(org.moving)
  const read = async (signal: AbortSignal) => {
    const last = isWanted ? await operator.moves.get({ slug, signal }).catch(noneYet) : null
    setMoving(last?.state === 'moving')
    if (last && isNews(last, org)) changed()
    return last
  }
  const move = useLoad(`move ${slug} ${isWanted}`, read, isMoving ? LOOK_MS : undefined)
  const reload = async () => {
    setWanted(true)
    if (isWanted) await move.reload()
    changed()
  }
  return (
    <>
      {isWanted && (
        <Shown of={move}>
          {value =>
            value ? (
              <Progress
                of={value}
                cancel={async () => {
                  const given = await attempt('The move goes on', () => operator.moves.cancel({ slug }))
                  if (given === undefined) return
                  tell('The move is being given up.')
                  await reload()
                }}
              />
            ) : (
              <p class="soft">It has never moved.</p>
            )
          }
        </Shown>
      )}
      <div class="line">
        <button type="button" disabled={isMoving} onClick={() => setChoosing(true)}>
          Move…
        </button>
        {!isWanted && (
          <button type="button" class="plain" onClick={() => setWanted(true)}>
            Last move
          </button>
        )}
      </div>
      {isChoosing && (
        <Choose
          operator={operator}
          slug={slug}
          org={org}
          others={others}
          close={() => setChoosing(false)}
          begun={() => {
            setChoosing(false)
            void reload()
          }}
        />
      )}
    </>
  )
}

/** It has ended, and the organization is still shown as it was before. */
const isNews = ({ state, to }: OrganizationMove, { moving, database }: Organization) =>
  state !== 'moving' && (moving || (state === 'complete' && to !== database))

function noneYet(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

function Progress({ of: move, cancel }: { of: OrganizationMove; cancel(): Promise<void> }) {
  const { from, to, state, phase, percent, startedOn, endedOn, stoppedMs, error } = move
  const way = `${from} → ${to}`
  if (state !== 'moving') {
    return (
      <p class="soft">
        {way}: <span class={`state ${state === 'complete' ? 'done' : 'failed'}`}>{state}</span>{' '}
        <Time at={endedOn ?? startedOn} />
        {state === 'complete' && ` · writes were refused for ${(stoppedMs / 1000).toFixed(1)} s`}
        {error && ` · ${error}`}
      </p>
    )
  }
  return (
    <div class="stack" role="status">
      <p>
        {way}: {phase}, {percent} %{error && ` · ${error}`}
      </p>
      <progress max={100} value={percent} aria-label={`Move to ${to}`} />
      <button type="button" class="start" onClick={() => void cancel()}>
        Give it up
      </button>
    </div>
  )
}

interface ChooseProps extends OfOrg {
  org: Organization
  others: DataStore[]
  close(): void
  begun(): void
}

function Choose({ operator, slug, org, others, close, begun }: ChooseProps) {
  const [chosen, setChosen] = useState('')
  const { fault, isBusy, onSubmit } = useForm(async () => {
    await operator.moves.begin({ slug, database: chosen })
    tell(`${org.name} is on its way to ${chosen}.`)
    begun()
  })
  return (
    <Dialog title={`Move ${org.name}`} close={close} isBusy={isBusy}>
      <form class="stack" onSubmit={onSubmit}>
        <p>It stays in use. At the end writes are refused for a moment; clients repeat them by themselves.</p>
        <Field label="To">
          {field => (
            <select {...field} required value={chosen} onChange={event => setChosen(textOf(event))}>
              <option value="" />
              {others.map(({ name, state }) => (
                <option key={name} value={name} disabled={state !== 'open'}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FormEnd act="Move it" fault={fault} isBusy={isBusy} close={close} />
      </form>
    </Dialog>
  )
}
