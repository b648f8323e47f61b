// Cells that are not saved yet stay while somebody sorts, filters or looks elsewhere; before the tab goes, the browser asks. A form
// does not stay: whoever would leave it half made is asked.
import { effect, signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { Edits } from './grid-edits.ts'

/** By entity type; none where there is nothing. */
const unsaved = signal<ReadonlyMap<string, Edits>>(new Map())
const NOTHING: Edits = new Map()

export const unsavedOf = (entityName: string): Edits => unsaved.value.get(entityName) ?? NOTHING

export function setUnsaved(entityName: string, edits: Edits): void {
  const next = new Map(unsaved.value)
  if (edits.size === 0) next.delete(entityName)
  else next.set(entityName, edits)
  unsaved.value = next
}

export function forgetUnsaved(): void {
  unsaved.value = new Map()
  dirty.value = 0
}

/** What was unsaved before each change, for Ctrl Z; by entity type. */
const changes = new Map<string, readonly Edits[]>()

export const earlierOf = (entityName: string): readonly Edits[] => changes.get(entityName) ?? []

export function setEarlier(entityName: string, earlier: readonly Edits[]): void {
  changes.set(entityName, earlier)
}

/** Forms that hold something that is not saved. */
const dirty = signal(0)

/** Whoever would leave such a form is asked, at once: after the page is painted somebody may be gone. */
export function useDirty(isDirty: boolean): void {
  useLayoutEffect(() => {
    if (!isDirty) return
    dirty.value++
    return () => {
      dirty.value--
    }
  }, [isDirty])
}

/** False where somebody would rather stay; a form that is not there any more asks for nothing. */
export const mayLeave = (): boolean =>
  dirty.value === 0 || confirm('What you have changed here is not saved. Leave all the same?')

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** Before the router: a link to another page is followed only by whoever wants to leave. */
function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey
  if (!link || isElsewhere || link.target !== '' || link.hasAttribute('download')) return
  if (link.origin !== location.origin || link.pathname === location.pathname || mayLeave()) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** The same for the browser's own ways back and on: the address is there already, and is put back. */
function askAtStep(event: PopStateEvent): void {
  if (location.pathname === shown.pathname || mayLeave()) return
  event.stopImmediatePropagation()
  history.pushState(null, '', shown.href)
}

let shown = { pathname: '', href: '' }

// Once, and when the console begins: steps are told in the order in which somebody asked to be told.
addEventListener('click', askAtLink, true)
addEventListener('popstate', askAtStep)

effect(() => {
  if (dirty.value > 0) shown = { pathname: location.pathname, href: location.href }
})

effect(() => {
  if (unsaved.value.size === 0 && dirty.value === 0) return
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
})
