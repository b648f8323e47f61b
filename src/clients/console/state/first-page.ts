// The first page of a grid, asked for while the link to it is still held down: it is often there when the grid is drawn. From the
// keyboard it is asked for by the click, before anything is drawn.
import type { Entity, ListParams, Page } from '../../typescript/index.ts'
import { to } from './address.ts'
import { catalog } from './catalog.ts'
import { client } from './session.ts'

export const PAGE_SIZE = 100
/** A press that became no click leads nowhere; what it asked for is old after this. */
const FRESH_MS = 2000

interface Ahead {
  entityName: string
  page: Promise<Page<Entity>>
  askedAt: number
}

let ahead: Ahead | undefined

const isAhead = (held: Ahead | undefined, entityName: string): held is Ahead =>
  held?.entityName === entityName && performance.now() - held.askedAt < FRESH_MS

function askAhead({ target, button, ctrlKey, metaKey }: MouseEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  const isElsewhere = button !== 0 || ctrlKey || metaKey
  if (!link || isElsewhere || link.search !== '' || link.pathname === location.pathname) return
  const entityName = catalog.value?.roots.find(({ path }) => link.pathname === to.entities(path))?.entityType
  if (entityName === undefined || isAhead(ahead, entityName)) return
  const page = client.entities.list({ entityName, queryParams: { limit: PAGE_SIZE } })
  // Whoever takes it is told.
  page.catch(() => undefined)
  ahead = { entityName, page, askedAt: performance.now() }
}

/** What was asked for by the press that led here; once, and where nothing more is asked than it did. */
export function takeAhead(entityName: string, { limit, ...more }: ListParams): Promise<Page<Entity>> | undefined {
  const held = ahead
  ahead = undefined
  const isPlain = limit === PAGE_SIZE && Object.values(more).every(value => value === undefined)
  return isPlain && isAhead(held, entityName) ? held.page : undefined
}

/** Gives the way to stop. */
export function askWherePressed(): () => void {
  addEventListener('pointerdown', askAhead)
  // Before whoever draws the page.
  addEventListener('click', askAhead, true)
  return () => {
    removeEventListener('pointerdown', askAhead)
    removeEventListener('click', askAhead, true)
  }
}
