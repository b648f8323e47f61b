// Ctrl K: pages and everything that the search finds, by keyboard alone.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Entity } from '../../typescript/index.ts'
import { focusAgain } from '../components/dialog.tsx'
import { textOf } from '../components/field.tsx'
import { to } from '../state/address.ts'
import { catalog, rootByName, titleOf } from '../state/catalog.ts'
import { words } from '../state/fault-words.ts'
import { isPaletteOpen } from '../state/palette.ts'
import { viewOf } from '../state/saved-views.ts'
import { client } from '../state/session.ts'
import { mayLeave } from '../state/unsaved.ts'

interface Choice {
  label: string
  kind: string
  href: string
}

const COMBOBOX = {
  type: 'search',
  role: 'combobox',
  list: undefined,
  'aria-expanded': true,
  'aria-controls': 'palette-choices',
} as const
const PAUSE_MS = 150
const MOST = 12
const FOUND_MOST = 8
/** Beside what is found. */
const PAGES_MOST = MOST - FOUND_MOST

function pages(): Choice[] {
  const kind = 'page'
  return [
    { label: 'Home', kind, href: to.home },
    { label: 'Work: tasks, runs, deliveries', kind, href: to.work },
    { label: 'Loads', kind, href: to.loads },
    { label: 'Load a file', kind, href: to.newLoad },
    { label: 'Files: upload, download', kind, href: to.files },
    ...(catalog.value?.roots ?? []).map(({ path }) => ({ label: titleOf(path), kind, href: to.entities(path) })),
    { label: 'History of changes', kind, href: to.history },
    { label: 'Types and properties', kind, href: to.types },
    { label: 'Keys', kind, href: to.settings('keys') },
    { label: 'Members', kind, href: to.settings('members') },
    { label: 'Sessions and password', kind, href: to.settings('sessions') },
    { label: 'Audit', kind, href: to.settings('audit') },
    { label: 'Operator: status, organizations, backups', kind, href: to.operator },
  ]
}

export function Palette() {
  const { route } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  /** By its address: answers that come do not move it to another. */
  const [at, setAt] = useState<string | undefined>(undefined)
  const { found, note } = useSearch(text)
  const fitting = useMemo(() => {
    const word = text.trim().toLowerCase()
    const all = pages().filter(({ label }) => label.toLowerCase().includes(word))
    return all.slice(0, word === '' ? MOST : PAGES_MOST)
  }, [text])
  // What is there at once comes first and stays there.
  const choices = [...fitting, ...found]
  const chosen = Math.max(
    0,
    choices.findIndex(({ href }) => href === at),
  )
  const choose = (index: number) => setAt(choices[Math.max(0, Math.min(index, choices.length - 1))]?.href)
  const close = () => {
    isPaletteOpen.value = false
  }
  // Before the next key arrives.
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => focusAgain(before)
  }, [])
  const go = (choice: Choice | undefined) => {
    if (!choice || !mayLeave()) return
    close()
    route(choice.href)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') go(choices[chosen])
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={close}>
      <input
        {...COMBOBOX}
        {...(choices.length > 0 && { 'aria-activedescendant': `palette-${chosen}` })}
        aria-label="Search for entities and pages"
        placeholder="Name, number or page"
        value={text}
        onInput={event => {
          setText(textOf(event))
          setAt(undefined)
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id="palette-choices" aria-label="Found">
        {choices.map((choice, index) => (
          <div
            key={choice.href}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseMove={() => choose(index)}
            onClick={() => go(choice)}
            onKeyDown={onKey}
          >
            <span>{choice.label}</span>
            <span class="soft">{choice.kind}</span>
          </div>
        ))}
      </div>
      {note && (
        <p class="note" role="status">
          {note}
        </p>
      )}
    </dialog>
  )
}

interface Answer {
  found: Choice[]
  note: string
}
const NO_ANSWER: Answer = { found: [], note: '' }

/** Of the text that stands there, never of the one before. */
function useSearch(text: string): Answer {
  const word = text.trim()
  const [held, setHeld] = useState({ word, ...NO_ANSWER })
  useEffect(() => {
    if (word === '') return
    const controller = new AbortController()
    const answer = (given: Answer) => {
      if (!controller.signal.aborted) setHeld({ word, ...given })
    }
    const timer = setTimeout(() => {
      search(word, controller.signal)
        .then(found => answer({ found, note: found.length === 0 ? 'No entity fits.' : '' }))
        .catch(error => answer({ found: [], note: `The search failed: ${words(error).what}` }))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [word])
  return held.word === word ? held : NO_ANSWER
}

async function search(q: string, signal: AbortSignal): Promise<Choice[]> {
  return (await client.entities.search({ q, limit: FOUND_MOST, signal })).results.map(choiceOf)
}

function choiceOf(entity: Entity): Choice {
  const root = String(entity.entityType ?? entity.typePath.split(':')[0])
  const seen = root === 'saved-view' ? rootByName(String(entity.entityName)) : undefined
  if (seen) {
    const query = new URLSearchParams(viewOf(entity).query as Record<string, string>)
    return { label: entity.name ?? entity.id, kind: `view of ${seen.path}`, href: to.entities(seen.path, `?${query}`) }
  }
  const path = rootByName(root)?.path ?? 'items'
  const key = entity.federatedId ? ` · ${entity.federatedId}` : ''
  return { label: `${entity.name ?? entity.id}${key}`, kind: root, href: to.entity(path, entity.id) }
}
