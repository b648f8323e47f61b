// The first page of a grid, asked for while the link to it is still held down, or while somebody at the keyboard stays on it: it is
// often there when the grid is drawn.
import type { Entity, ListParams, Page } from '../../typescript/index.ts'
import { to } from './address.ts'
import { catalog } from './catalog.ts'
import { client, writesSoFar } from './session.ts'

export const PAGE_SIZE = 100
/** A press that became no click leads nowhere; what it asked for is old after this. */
const FRESH_MS = 2000
/** Whoever holds the Tab key down stays on each link for less. */
const STAYS_MS = 100

interface Ahead {
  entityName: string
  page: Promise<Page<Entity>>
  askedAt: number
  /** What this tab had written by then. */
  writes: number
  stop: AbortController
  isByFocus: boolean
  /** Once it has come. */
  ready?: Page<Entity>
}

let ahead: Ahead | undefined

const isAhead = (held: Ahead | undefined, entityName: string): held is Ahead =>
  held?.entityName === entityName && performance.now() - held.askedAt < FRESH_MS && held.writes === writesSoFar()

const linkAt = (target: EventTarget | null) => (target instanceof Element ? target.closest('a') : null)

function askAtPress({ target, button, ctrlKey, metaKey }: MouseEvent): void {
  const link = linkAt(target)
  if (link && button === 0 && !ctrlKey && !metaKey) askBehind(link, false)
}

let staying: ReturnType<typeof setTimeout> | undefined

function askAtFocus({ target }: FocusEvent): void {
  const link = linkAt(target)
  if (link?.matches(':focus-visible')) staying = setTimeout(askBehind, STAYS_MS, link, true)
}

/** A press takes the focus from where it was, after it has asked. */
function giveUpAtBlur(): void {
  clearTimeout(staying)
  if (ahead?.isByFocus) giveUp()
}

/** What nobody has taken is not wanted any more. */
function giveUp(): void {
  ahead?.stop.abort()
  ahead = undefined
}

function askBehind(link: HTMLAnchorElement, isByFocus: boolean): void {
  if (link.search !== '' || link.pathname === location.pathname) return
  const entityName = catalog.value?.roots.find(({ path }) => link.pathname === to.entities(path))?.entityType
  if (entityName === undefined || isAhead(ahead, entityName)) return
  giveUp()
  const stop = new AbortController()
  const page = client.entities.list({ entityName, queryParams: { limit: PAGE_SIZE }, signal: stop.signal })
  const asked: Ahead = { entityName, page, askedAt: performance.now(), writes: writesSoFar(), stop, isByFocus }
  ahead = asked
  page.then(
    ready => {
      asked.ready = ready
    },
    // Whoever has taken it is told; nobody else gets it.
    () => {
      if (ahead === asked) ahead = undefined
    },
  )
}

/** What was asked for by the press or the focus that led here; once, and where nothing more is asked than it did. */
export function takeAhead(entityName: string, { limit, ...more }: ListParams): Promise<Page<Entity>> | undefined {
  const held = ahead
  ahead = undefined
  const isPlain = limit === PAGE_SIZE && Object.values(more).every(value => value === undefined)
  return isPlain && isAhead(held, entityName) ? held.page : undefined
}

/** The same where it has come already: it is drawn at once. */
export function takeReady(entityName: string, params: ListParams): Page<Entity> | undefined {
  const ready = ahead?.ready
  return ready && takeAhead(entityName, params) && ready
}

/** Gives the way to stop. */
export function askWherePressed(): () => void {
  addEventListener('pointerdown', askAtPress)
  addEventListener('focusin', askAtFocus)
  addEventListener('focusout', giveUpAtBlur)
  // Before whoever draws the page.
  addEventListener('click', askAtPress, true)
  return () => {
    clearTimeout(staying)
    giveUp()
    removeEventListener('pointerdown', askAtPress)
    removeEventListener('focusin', askAtFocus)
    removeEventListener('focusout', giveUpAtBlur)
    removeEventListener('click', askAtPress, true)
  }
}
