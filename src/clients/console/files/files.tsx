// Files: drop them here, take them out, delete them. Loads keep what they read and what they report here, too.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FileRecord } from '../../typescript/index.ts'
import { Empty } from '../components/empty.tsx'
import { Field, textOf } from '../components/field.tsx'
import { HowTo } from '../components/how-to.tsx'
import { type Column, PagedTable } from '../components/list-table.tsx'
import { Page } from '../components/page.tsx'
import { State } from '../components/state.tsx'
import { Time } from '../components/time.tsx'
import { to, usePageState } from '../state/address.ts'
import { sizeText } from '../state/format.ts'
import { listWay } from '../state/list-way.ts'
import { BASE_URL, client, me } from '../state/session.ts'
import { usePages } from '../state/use-pages.ts'
import { DeleteFile } from './delete-file.tsx'
import { FileDrop } from './file-drop.tsx'

const PAGE_SIZE = 100
const NEWEST = { orderField: 'createdOn', order: 'desc' } as const

const COLUMNS: readonly Column<FileRecord>[] = [
  {
    name: 'Name',
    look: 'break',
    show: ({ id, fileName, contentType }) => (
      <>
        <a href={to.entity('files', id)}>{fileName}</a>
        <div class="sub mono">{contentType}</div>
      </>
    ),
  },
  { name: 'State', show: ({ status }) => <State is={status} /> },
  { name: 'Size', look: 'number', show: ({ size }) => (size === null ? '' : sizeText(size)) },
  { name: 'Uploaded', show: ({ uploadedOn, createdOn }) => <Time at={uploadedOn ?? createdOn} /> },
]

export function Files() {
  const { query, set } = usePageState()
  const find = (query.find ?? '').trim()
  const [deleting, setDeleting] = useState<FileRecord | undefined>(undefined)
  const asked = { limit: PAGE_SIZE, order: NEWEST, criteria: find === '' ? undefined : { name: { contains: find } } }
  const files = usePages(`files ${find}`, ({ nextPageKey, signal }) =>
    client.files.list({ queryParams: { ...asked, nextPageKey }, signal }),
  )
  const way = listWay('file', 'files', asked)
  const canWrite = me.value?.scope === 'write'
  return (
    <Page title="Files">
      <div class="stack">
        {canWrite && <FileDrop done={() => void files.reload()} />}
        <div class="line">
          <Find text={query.find ?? ''} find={text => set({ find: text }, true)} />
        </div>
        <PagedTable
          label="Files"
          pages={files}
          columns={COLUMNS}
          keyOf={({ id }) => id}
          acts={file => (
            <>
              {file.status === 'ready' && (
                <a class="button" href={`${BASE_URL}/files/${file.id}/content`} download={file.fileName}>
                  Download<span class="hidden"> {file.fileName}</span>
                </a>
              )}
              {canWrite && (
                <button type="button" class="danger" onClick={() => setDeleting(file)}>
                  Delete<span class="hidden"> {file.fileName}</span>
                </button>
              )}
            </>
          )}
          empty={
            find === '' ? (
              <Empty title="No files yet">
                <p>Files that loads read stand here, and whatever else you drop.</p>
              </Empty>
            ) : (
              <p class="soft">No file has a name with “{find}” in it.</p>
            )
          }
        />
      </div>
      {deleting && (
        <DeleteFile
          id={deleting.id}
          fileName={deleting.fileName}
          close={() => setDeleting(undefined)}
          done={() => void files.reload()}
        />
      )}
      <HowTo
        way={{
          ...way,
          typescript: `${way.typescript}\nawait client.files.upload({ content: 'a,b\\n', fileName: 'styles.csv' })`,
          command: `${way.command}\nselvedge files upload styles.csv`,
        }}
      />
    </Page>
  )
}

const PAUSE_MS = 200

/** Asks when the typing rests. */
function Find({ text, find }: { text: string; find(text: string): void }) {
  const [typed, setTyped] = useState(text)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  useEffect(() => stop, [])
  // Back, and links, say something else than what was typed.
  useEffect(() => {
    if (timer.current === undefined) setTyped(text)
  }, [text])
  return (
    <Field label="Find by name">
      {field => (
        <input
          {...field}
          type="search"
          value={typed}
          onInput={event => {
            const next = textOf(event)
            setTyped(next)
            stop()
            timer.current = setTimeout(() => {
              stop()
              // The page that was asked for meanwhile may still be on its way.
              if (location.pathname.startsWith(to.files)) find(next)
            }, PAUSE_MS)
          }}
        />
      )}
    </Field>
  )
}
