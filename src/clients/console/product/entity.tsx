// One entity: its properties, its history as version n against n−1, where it is used.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChangeRecord, Entity, Page as ListPage } from '../../typescript/index.ts'
import { AssortmentActs } from '../assortments/assortment-acts.tsx'
import { MemberItems } from '../assortments/member-items.tsx'
import { Confirm } from '../components/dialog.tsx'
import { HowTo } from '../components/how-to.tsx'
import { More } from '../components/list-table.tsx'
import { Page } from '../components/page.tsx'
import { ErrorPanel, Shown, Skeleton } from '../components/shown.tsx'
import { DeleteFile } from '../files/delete-file.tsx'
import { ChangeEntry } from '../history/change-entry.tsx'
import { to, usePageState } from '../state/address.ts'
import { catalog, rootByPath, titleOf, typeOf } from '../state/catalog.ts'
import { deleteEntities } from '../state/delete-entities.ts'
import { canBeChanged, canBeMade } from '../state/entity-acts.ts'
import { isMissing } from '../state/fault-words.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { rememberName } from '../state/references.ts'
import { client, me } from '../state/session.ts'
import { presentStates } from '../state/take-back.ts'
import { attempt, tell } from '../state/toasts.ts'
import { tellUndoable } from '../state/undo.ts'
import { useArrive } from '../state/use-go.ts'
import { useLoad } from '../state/use-load.ts'
import { useOnce } from '../state/use-once.ts'
import { type Pages, usePages } from '../state/use-pages.ts'
import { tellWritten, useWritten } from '../state/written.ts'
import { PropertiesPanel } from './properties-panel.tsx'
import { UsedIn } from './used-in.tsx'

const PAGE_SIZE = 100
/** Read by itself to get to a version. */
const PAGES_MOST = 50

export function EntityPage({ kind: path, id }: { kind: string; id: string }) {
  const root = rootByPath(path)
  if (!catalog.value) return <Skeleton />
  return root ? <One key={id} path={path} entityName={root.entityType} id={id} /> : <p>There is no such type.</p>
}

interface OneProps {
  path: string
  entityName: string
  id: string
}

function One({ path, entityName, id }: OneProps) {
  const one = useLoad<Entity | null>(`${entityName} ${id}`, async signal => {
    try {
      const entity = await client.entities.get({ entityName, id, signal })
      rememberName(entityName, entity)
      return entity
    } catch (error) {
      // It may have been deleted: then its history still tells of it.
      if (isMissing(error)) return null
      throw error
    }
  })
  const entityReference = `${entityName}:${id}`
  const history = usePages(entityReference, at =>
    client.changes.list({ ...at, criteria: { entityReference }, limit: PAGE_SIZE }),
  )
  useWritten((name, written) => {
    const now = name === entityName && written.find(each => each.id === id)
    if (!now) return
    one.set(now)
    void history.reload()
  })
  const last = history.value?.results[0]
  const title = one.value?.name ?? lastName(last) ?? id
  const [isDeleting, setDeleting] = useState(false)
  const arrive = useArrive()
  const isWriter = me.value?.scope === 'write'
  const canWrite = isWriter && canBeChanged(entityName)
  const isFile = entityName === 'file'
  const reload = () => {
    void one.reload()
    void history.reload()
  }
  const { start: bringBack } = useOnce(async (record: ChangeRecord, properties?: readonly string[]) => {
    const target = record.changeType === 'delete' ? record.version - 1 : record.version
    const written = await attempt('Nothing was restored', async () => {
      const before = (await presentStates(entityName, [id])).get(id)
      return { before, done: await client.entities.restore({ entityName, id, version: target, properties }) }
    })
    if (!written) return
    const { before, done } = written
    // Where somebody else wrote between the two, nobody knows what was written over.
    if (before && done.version - before.version === 1) {
      tellUndoable(`Restored version ${target}.`, async () => {
        const { version } = before
        // What others have changed since is left alone.
        const back = await client.entities.restore({ entityName, id, version, properties, ifMatch: done.version })
        tellWritten(entityName, [back])
      })
    } else tell(`Restored version ${target}.`)
    tellWritten(entityName, [done])
  })
  return (
    <Page
      title={title}
      crumbs={<a href={to.entities(path)}>{titleOf(path)}</a>}
      acts={
        one.value &&
        (canWrite || (isWriter && isFile)) && (
          <button type="button" class="danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        )
      }
    >
      <div class="two">
        <div class="stack">
          <Shown of={one} lines={10}>
            {entity =>
              entity === null ? (
                <Gone entityName={entityName} history={history.value} error={history.error} />
              ) : (
                <>
                  <section class="panel">
                    <PropertiesPanel {...{ entityName, entity, canWrite }} />
                  </section>
                  {entityName === 'project' && (
                    <section class="panel stack" aria-labelledby="project-items">
                      <h2 id="project-items">Items</h2>
                      <MemberItems
                        entityName="project-item"
                        path="project-items"
                        criteria={{ projectId: id }}
                        empty="No items yet. Import items into this project to fill it."
                      />
                    </section>
                  )}
                  {entityName === 'assortment' && (
                    <AssortmentActs
                      {...{ id, canWrite }}
                      members={idsIn(entity.memberAssortmentIds)}
                      changed={reload}
                    />
                  )}
                </>
              )
            }
          </Shown>
        </div>
        <Beside
          {...{ path, entityName, id, history, entity: one.value ?? undefined }}
          restore={canWrite ? bringBack : undefined}
        />
      </div>
      {isDeleting && one.value && isFile && (
        <DeleteFile id={id} fileName={title} close={() => setDeleting(false)} done={() => arrive(to.files)} />
      )}
      {isDeleting && one.value && !isFile && (
        <Confirm
          title={`Delete ${title}?`}
          act={`Delete ${title}`}
          close={() => setDeleting(false)}
          run={() => deleteEntities(entityName, one.value ? [one.value] : [], reload)}
        >
          <p>
            It leaves every list. The history keeps it
            {canBeMade(entityName) ? ', and it can be brought back from there.' : ', and it cannot be brought back.'}
          </p>
        </Confirm>
      )}
      <HowTo
        way={{
          path: `/${path}/${id}`,
          typescript: `const entity = await client.entities.get({ entityName: '${entityName}', id: ${codeText(id)} })`,
          command: `entities get ${entityName} ${shellWord(id)}`,
        }}
      />
    </Page>
  )
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function lastName(record: ChangeRecord | undefined): string | undefined {
  const name = record?.changes.name
  const value = name?.newValue ?? name?.oldValue
  return typeof value === 'string' ? value : undefined
}

interface GoneProps {
  entityName: string
  history: ListPage<ChangeRecord> | undefined
  error: unknown
}

function Gone({ entityName, history, error }: GoneProps) {
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!history) return <Skeleton lines={3} />
  const isDeleted = history.results[0]?.changeType === 'delete'
  return (
    <section class="error" role="alert">
      <h2>{isDeleted ? 'This was deleted' : 'This does not exist'}</h2>
      <p>
        {isDeleted
          ? `Its history is still here${canBeMade(entityName) ? '; the newest entry brings it back' : ''}.`
          : 'The address may be mistyped, or of another organization.'}
      </p>
    </section>
  )
}

interface BesideProps extends OneProps {
  entity: Entity | undefined
  history: Pages<ChangeRecord>
  restore: ((record: ChangeRecord, properties?: readonly string[]) => Promise<void>) | undefined
}

function Beside({ path, entityName, id, entity, history, restore: bringBack }: BesideProps) {
  const { query, set } = usePageState()
  const tab = query.tab === 'used' ? 'used' : 'history'
  const properties = new Map((typeOf(entity?.typePath ?? entityName)?.properties ?? []).map(each => [each.slug, each]))
  const newest = history.value?.results[0]
  useReadUntil(history, Number(query.version))
  return (
    <section class="panel stack">
      <div class="tabs" role="tablist" aria-label="About this entity">
        {(['history', 'used'] as const).map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => set({ tab: name === 'history' ? undefined : name })}
          >
            {name === 'history' ? 'History' : 'Used in'}
          </button>
        ))}
      </div>
      {tab === 'used' ? (
        <UsedIn entityName={entityName} id={id} />
      ) : (
        <Shown of={history} lines={6}>
          {page =>
            page.results.length === 0 ? (
              <p class="soft">Entities of this type keep no history.</p>
            ) : (
              <>
                <ol class="versions">
                  {page.results.map(record => (
                    <ChangeEntry
                      key={record.id}
                      record={record}
                      properties={properties}
                      isOpen={query.version === String(record.version)}
                      isDeleted={newest?.changeType === 'delete'}
                      href={`${to.entity(path, id)}?version=${record.version}`}
                      restore={
                        bringBack && canRestore(entityName, record, newest?.version)
                          ? slugs => void bringBack(record, slugs)
                          : undefined
                      }
                    />
                  ))}
                </ol>
                <More page={page} more={history.more} />
              </>
            )
          }
        </Shown>
      )}
    </section>
  )
}

/** The version that the address names may be far back. */
function useReadUntil({ value, more }: Pages<ChangeRecord>, version: number): void {
  const pages = useRef(0)
  useEffect(() => {
    const oldest = value?.results.at(-1)?.version ?? 0
    if (!(oldest > version && value?.nextPageKey)) {
      if (pages.current > 0) document.getElementById(`v${version}`)?.scrollIntoView({ block: 'center' })
      pages.current = 0
    } else if (pages.current++ < PAGES_MOST) void more()
  }, [value, version])
}

/** What is the case already need not be restored; a deletion is undone where it is the last thing that happened. */
const canRestore = (entityName: string, { changeType, version }: ChangeRecord, newest: number | undefined) =>
  changeType === 'delete' ? version === newest && canBeMade(entityName) : version !== newest
