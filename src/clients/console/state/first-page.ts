// The first page of a grid, asked for while the link to it is still held down: it is often there when the grid is drawn.
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

export function askOnPress({ target, button }: PointerEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || button !== 0 || link.search !== '' || link.pathname === location.pathname) return
  const root = catalog.value?.roots.find(({ path }) => link.pathname === to.entities(path))
  if (!root) return
  const entityName = root.entityType
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
  const isFresh = held?.entityName === entityName && performance.now() - held.askedAt < FRESH_MS
  return isPlain && isFresh ? held.page : undefined
}
