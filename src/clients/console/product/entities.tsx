// Entities of one type as a grid: search, filters, order and columns stand in the address.
import { useMemo, useState } from 'preact/hooks'
import type { Entity, Page as ListPage, ListParams } from '../../typescript/index.ts'
import { Confirm } from '../components/dialog.tsx'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Shown, Skeleton } from '../components/shown.tsx'
import { usePageState } from '../state/address.ts'
import { catalog, rootByPath, titleOf } from '../state/catalog.ts'
import { columnsFor, firstColumns } from '../state/columns.ts'
import { countText } from '../state/counts.ts'
import { parseCriteria } from '../state/criteria-words.ts'
import { deleteEntities } from '../state/delete-entities.ts'
import { canBeChanged, canBeMade } from '../state/entity-acts.ts'
import { arranged } from '../state/families.ts'
import { PAGE_SIZE, takeAhead, takeReady } from '../state/first-page.ts'
import { type FormField, fieldsFor } from '../state/form-schema.ts'
import { counted } from '../state/format.ts'
import { listWay } from '../state/list-way.ts'
import { rememberName } from '../state/references.ts'
import type { ViewQuery } from '../state/saved-views.ts'
import { client, me } from '../state/session.ts'
import { type GridEdits, useGridEdits } from '../state/use-grid-edits.ts'
import { useLoad } from '../state/use-load.ts'
import { usePages } from '../state/use-pages.ts'
import { usePainted } from '../state/use-painted.ts'
import { useToldOnLeaving } from '../state/use-told-on-leaving.ts'
import { withWholeFamilies } from '../state/whole-families.ts'
import { useWritten } from '../state/written.ts'
import { BulkEdit } from './bulk-edit.tsx'
import { Grid } from './grid.tsx'
import { GridTools } from './grid-tools.tsx'
import { NewEntity } from './new-entity.tsx'
import { NothingHere } from './nothing-here.tsx'
import { SaveBar } from './save-bar.tsx'
import { SelectionBar } from './selection-bar.tsx'

const NONE: readonly Entity[] = []
/** Read with a page of items, so that families are whole. */
const FAMILY_ROWS_MOST = 1000

export function Entities({ kind: path }: { kind: string }) {
  if (!catalog.value) {
    return (
      <Page title={titleOf(path)}>
        <Skeleton lines={8} />
      </Page>
    )
  }
  const root = rootByPath(path)
  if (!root) {
    return (
      <Page title="No such type">
        <p>There is no entity type with the path {path}.</p>
      </Page>
    )
  }
  return <EntityGrid key={path} path={path} entityName={root.entityType} about={root.about} />
}

function EntityGrid({ path, entityName, about }: { path: string; entityName: string; about: string }) {
  const { query, set } = usePageState()
  const criteria = parseCriteria(query.criteria)
  const [orderField, way] = (query.order ?? '').split('.')
  const params: ListParams = {
    limit: PAGE_SIZE,
    criteria: Object.keys(criteria).length > 0 ? (criteria as ListParams['criteria']) : undefined,
    order: orderField ? { orderField, order: way === 'desc' ? 'desc' : 'asc' } : undefined,
    q: query.q || undefined,
  }
  const key = JSON.stringify(params)
  const remember = (rows: readonly Entity[] = NONE) => {
    for (const row of rows) rememberName(entityName, row)
  }
  // In a chosen order each row has its own place.
  const isInFamilies = entityName === 'item' && !orderField && !('id' in criteria) && !('itemFamilyId' in criteria)
  const listAlso = async (more: Record<string, readonly string[]>) => {
    const queryParams = { ...params, limit: FAMILY_ROWS_MOST, criteria: { ...criteria, ...more } } as ListParams
    return (await client.entities.list({ entityName, queryParams })).results
  }
  const list = usePages(
    key,
    async ({ nextPageKey, signal }) => {
      const asked = { ...params, nextPageKey }
      const ahead = takeAhead(entityName, asked)
      const read = await (ahead ?? client.entities.list({ entityName, queryParams: asked, signal }))
      const page = isInFamilies ? await withWholeFamilies(read, nextPageKey === undefined, listAlso) : read
      remember(page.results)
      return page
    },
    undefined,
    () => {
      const page = isInFamilies ? undefined : takeReady(entityName, params)
      remember(page?.results)
      return page
    },
  )
  const edits = useGridEdits(entityName)
  useToldOnLeaving(path, entityName)
  // After the rows, which they would hold up.
  const shownKey = usePainted(list.value && key) === key ? key : undefined
  const fields = useLoad(shownKey && entityName, async signal =>
    fieldsFor(entityName, await client.types.schema({ typePath: entityName, variant: 'update', signal })),
  )
  const count = useLoad(shownKey, signal =>
    client.entities.count({ entityName, queryParams: { criteria: params.criteria, q: params.q }, signal }),
  )
  const reload = () => {
    void list.reload()
    void count.reload()
  }
  useWritten((name, written) => {
    if (name !== entityName) return
    remember(written)
    const changed = new Map(written.map(each => [each.id, each]))
    list.change(page => ({ ...page, results: page.results.map(each => changed.get(each.id) ?? each) }))
    const shown = new Set(list.value?.results.map(({ id }) => id))
    if (written.some(({ id }) => !shown.has(id))) reload()
  })
  const [adding, setAdding] = useState(false)
  const isFiltered = params.criteria !== undefined || params.q !== undefined
  const isWriter = me.value?.scope === 'write'
  const canWrite = isWriter && canBeChanged(entityName)
  const canAdd = isWriter && canBeMade(entityName)
  const results = list.value?.results ?? NONE
  const drawing = useMemo(
    () => drawingOf(entityName, results, query, fields.value ?? []),
    [entityName, results, query.order, query.columns, catalog.value, fields.value],
  )
  const { columns, shown } = drawing
  const open = (next: ViewQuery) =>
    set({ criteria: undefined, order: undefined, columns: undefined, q: undefined, ...next })
  return (
    <Page
      title={titleOf(path)}
      count={count.value ? countText(count.value) : undefined}
      acts={
        canAdd && (
          <button type="button" class="main" onClick={() => setAdding(true)}>
            Add
          </button>
        )
      }
    >
      <GridTools {...{ path, entityName, query, set, open, criteria, columns, shown }} canWrite={isWriter} />
      <Shown of={list} lines={10}>
        {page => (
          <Body
            key={entityName}
            {...{ path, entityName, about, page, drawing, query, set, open, isFiltered, canWrite, edits, reload }}
            canAdd={canAdd}
            more={list.more}
            add={() => setAdding(true)}
          />
        )}
      </Shown>
      {adding && <NewEntity entityName={entityName} path={path} close={() => setAdding(false)} />}
      <HowTo way={listWay(entityName, path, params)} />
    </Page>
  )
}

type Drawing = ReturnType<typeof drawingOf>

interface BodyProps {
  path: string
  entityName: string
  about: string
  page: ListPage<Entity>
  drawing: Drawing
  query: ViewQuery
  set(changes: ViewQuery): void
  open(query: ViewQuery): void
  isFiltered: boolean
  canWrite: boolean
  canAdd: boolean
  edits: GridEdits
  more(): Promise<void>
  reload(): void
  add(): void
}

function Body(props: BodyProps) {
  const { path, entityName, about, page, drawing, query, set, isFiltered, canWrite, edits, reload, add, open } = props
  const { rows, columns, shown, visible } = drawing
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<'edit' | 'delete' | undefined>(undefined)
  const hidden = [...edits.edits.keys()].filter(id => !rows.some(row => row.id === id)).length
  const chosen = rows.filter(({ id }) => selected.has(id))
  const sortBy = (slug: string) =>
    set({
      order:
        query.order === `${slug}.asc` ? `${slug}.desc` : query.order === `${slug}.desc` ? undefined : `${slug}.asc`,
    })
  return (
    <>
      {rows.length === 0 ? (
        <NothingHere {...{ path, about, isFiltered, add }} canAdd={props.canAdd} clear={() => open({})} />
      ) : (
        <Grid
          path={path}
          label={titleOf(path)}
          columns={visible}
          order={query.order}
          more={page.nextPageKey === null ? undefined : props.more}
          {...{ rows, edits, sortBy, selected, select, canWrite }}
        />
      )}
      {edits.cells > 0 && <SaveBar edits={edits} hidden={hidden} />}
      {edits.cells === 0 && chosen.length > 0 && (
        <SelectionBar
          {...{ path, canWrite }}
          ids={chosen.map(({ id }) => id)}
          columns={shown}
          edit={() => setDialog('edit')}
          remove={() => setDialog('delete')}
          clear={() => select(new Set())}
        />
      )}
      {dialog === 'edit' && (
        <BulkEdit rows={chosen} columns={columns} edits={edits} close={() => setDialog(undefined)} />
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete ${counted(chosen.length, 'entity', 'entities')}?`}
          act={`Delete ${counted(chosen.length, 'entity', 'entities')}`}
          close={() => setDialog(undefined)}
          run={async () => {
            const isDone = await deleteEntities(entityName, chosen, reload)
            if (isDone) select(new Set())
          }}
        >
          <p>
            {chosen
              .slice(0, 8)
              .map(({ id, name }) => name ?? id)
              .join(', ')}
            {chosen.length > 8 && ' and more'}.
          </p>
          <p class="soft">What others refer to is not deleted; the history keeps every state.</p>
        </Confirm>
      )}
    </>
  )
}

/** What the grid is drawn from, kept while none of it changes. */
function drawingOf(entityName: string, results: readonly Entity[], query: ViewQuery, fields: readonly FormField[]) {
  const rows = query.order ? results : arranged(results)
  const columns = columnsFor(entityName, rows, fields)
  const shown = query.columns?.split(',') ?? firstColumns(columns, rows)
  const visible = shown.flatMap(slug => columns.filter(column => column.slug === slug))
  return { rows, columns, shown, visible }
}
