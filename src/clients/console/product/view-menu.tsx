// Views to open again: saved for me, or for everybody of the organization.
import { useId, useState } from 'preact/hooks'
import { TextField } from '../components/field.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import { deleteEntities } from '../state/delete-entities.ts'
import {
  keepOwnViews,
  ownViews,
  partsOf,
  sharedViews,
  shareView,
  type View,
  type ViewQuery,
} from '../state/saved-views.ts'
import { client } from '../state/session.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

interface ViewMenuProps {
  entityName: string
  path: string
  query: ViewQuery
  canWrite: boolean
  open(query: ViewQuery): void
}

export function ViewMenu({ entityName, path, query, canWrite, open }: ViewMenuProps) {
  const id = useId().replaceAll(':', '')
  const [isAsked, setAsked] = useState(false)
  const shared = useLoad(isAsked ? `views of ${entityName}` : undefined, signal => sharedViews(entityName, signal))
  const [own, setOwn] = useState(() => ownViews(path))
  const [name, setName] = useState('')
  /** Other tabs keep views as well. */
  const changeOwn = (name: string, more: readonly View[]) => {
    const views = [...ownViews(path).filter(each => each.name !== name), ...more]
    keepOwnViews(path, views)
    setOwn(views)
  }
  const view = { name, query: partsOf(query) }
  const saveForMe = () => {
    changeOwn(name, [view])
    tell(`Saved the view ${name} for you, in this browser.`)
    setName('')
  }
  const saveForAll = async () => {
    const done = await attempt('The view was not saved', () => shareView(entityName, view).then(() => true))
    if (!done) return
    tell(`Saved the view ${name} for everybody.`)
    setName('')
    void shared.reload()
  }
  const forget = async (viewId: string) => {
    const entity = await attempt('The view was not removed', () =>
      client.entities.get({ entityName: 'saved-view', id: viewId }),
    )
    if (entity) await deleteEntities('saved-view', [entity], () => void shared.reload())
  }
  const openMenu = () => {
    setAsked(true)
    setOwn(ownViews(path))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (event.submitter instanceof HTMLButtonElement && event.submitter.value === 'all') void saveForAll()
    else saveForMe()
  }
  return (
    <>
      <button type="button" popoverTarget={id} onClick={openMenu}>
        Views
      </button>
      <div id={id} popover="auto" class="stack">
        <ul class="columns-list">
          <li>
            <button type="button" class="link" onClick={() => open({})}>
              All
            </button>
          </li>
        </ul>
        {shared.error !== undefined && <ErrorPanel error={shared.error} again={() => void shared.reload()} />}
        <ViewList
          title="For everybody"
          views={shared.value ?? []}
          open={open}
          forget={canWrite ? view => void forget(view.id) : undefined}
        />
        <ViewList title="For me" views={own} open={open} forget={({ name }) => changeOwn(name, [])} />
        <form class="stack" onSubmit={submit}>
          <TextField
            label="Keep what is shown as"
            hint="Filter, search, order and columns."
            required
            maxLength={200}
            value={name}
            set={setName}
          />
          <div class="line">
            <button type="submit" value="me">
              Save for me
            </button>
            {canWrite && (
              <button type="submit" value="all">
                Save for all
              </button>
            )}
          </div>
        </form>
      </div>
    </>
  )
}

interface ViewListProps<T extends View> {
  title: string
  views: readonly T[]
  open(query: ViewQuery): void
  forget: ((view: T) => void) | undefined
}

function ViewList<T extends View>({ title, views, open, forget }: ViewListProps<T>) {
  if (views.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="columns-list">
        {views.map(view => (
          <li key={view.name} class="line spread">
            <button type="button" class="link" onClick={() => open(view.query)}>
              {view.name}
            </button>
            {forget && (
              <button
                type="button"
                class="plain"
                aria-label={`Forget the view ${view.name}`}
                onClick={() => forget(view)}
              >
                ✕
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
