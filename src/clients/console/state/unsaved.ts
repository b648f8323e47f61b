// Cells that are not saved yet stay while somebody sorts, filters or looks elsewhere; before the tab goes, the browser asks. A form
// does not stay: whoever would leave it half made is asked.
import { effect, signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { to } from './address.ts'
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
  dirty.value = []
}

/** Entity types whose cells are on their way, wherever somebody is meanwhile. */
const saving = signal<ReadonlySet<string>>(new Set())

export const isBeingSaved = (entityName: string) => saving.value.has(entityName)

export function setBeingSaved(entityName: string, isIt: boolean): void {
  const next = new Set(saving.value)
  if (isIt) next.add(entityName)
  else next.delete(entityName)
  saving.value = next
}

/** What was unsaved before each change, for Ctrl Z; by entity type. */
const changes = new Map<string, readonly Edits[]>()

export const earlierOf = (entityName: string): readonly Edits[] => changes.get(entityName) ?? []

export function setEarlier(entityName: string, earlier: readonly Edits[]): void {
  changes.set(entityName, earlier)
}

interface Dirty {
  why: string
}

/** Forms that hold something that is not saved. */
const dirty = signal<readonly Dirty[]>([])
const NOT_SAVED = 'What you have changed here is not saved.'

/** Whoever would leave such a form is asked, at once: after the page is painted somebody may be gone. */
export function useDirty(isDirty: boolean, why = NOT_SAVED): void {
  useLayoutEffect(() => {
    if (!isDirty) return
    const mine = { why }
    dirty.value = [...dirty.value, mine]
    return () => {
      dirty.value = dirty.value.filter(each => each !== mine)
    }
  }, [isDirty, why])
}

/** False where somebody would rather stay; a form that is not there any more asks for nothing. */
export function mayLeave(): boolean {
  const last = dirty.value.at(-1)
  return !last || confirm(`${last.why} Leave all the same?`)
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** The tabs of the operator are pages of their own; elsewhere a tab stands beside its form. */
const pageOf = ({ pathname, search }: { pathname: string; search: string }) =>
  pathname.startsWith(to.operator) ? `${pathname}?${new URLSearchParams(search).get('tab') ?? ''}` : pathname

/** Before the router: a link to another page is followed only by whoever wants to leave. */
function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey
  if (!link || isElsewhere || link.target !== '' || link.hasAttribute('download')) return
  if (link.origin !== location.origin || pageOf(link) === pageOf(location) || mayLeave()) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** The same for the browser's own ways back and on: the address is there already, and is put back. */
function askAtStep(event: PopStateEvent): void {
  if (pageOf(location) === shown.page || mayLeave()) return
  event.stopImmediatePropagation()
  history.pushState(null, '', shown.href)
}

let shown = { page: '', href: '' }

// Once, and when the console begins: steps are told in the order in which somebody asked to be told.
addEventListener('click', askAtLink, true)
addEventListener('popstate', askAtStep)

effect(() => {
  if (dirty.value.length > 0) shown = { page: pageOf(location), href: location.href }
})

effect(() => {
  if (unsaved.value.size === 0 && dirty.value.length === 0) return
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
})
