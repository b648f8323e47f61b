// A list that is read page by page. What is asked for again is read as far as it is shown: no row goes while somebody looks.
import { useRef } from 'preact/hooks'
import type { Page } from '../../typescript/index.ts'
import { attempt } from './toasts.ts'
import { type Loaded, useLoad } from './use-load.ts'

export interface PageAt {
  nextPageKey?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Pages<T> extends Loaded<Page<T>> {
  more(): Promise<void>
}

export function usePages<T>(
  key: string,
  read: (at: PageAt) => Promise<Page<T>>,
  everyMs?: number,
  ready?: () => Page<T> | undefined,
): Pages<T> {
  const shown = useRef({ key, pages: 1 })
  if (shown.current.key !== key) shown.current = { key, pages: 1 }
  const loaded = useLoad(
    key,
    async signal => {
      let page = await read({ signal })
      for (let count = 1; count < shown.current.pages && page.nextPageKey !== null; count++) {
        page = joined(page, await read({ nextPageKey: page.nextPageKey, signal }))
      }
      return page
    },
    everyMs,
    ready,
  )
  const more = async () => {
    const { value } = loaded
    const nextPageKey = value?.nextPageKey
    if (!value || !nextPageKey) return
    const now = shown.current
    now.pages += 1
    const next = await attempt('More could not be read', () => read({ nextPageKey }))
    if (!next) now.pages -= 1
    // Unless somebody has asked for the same page twice.
    else if (now === shown.current) {
      loaded.change(before => (before.nextPageKey === nextPageKey ? joined(before, next) : before))
    }
  }
  return { ...loaded, more }
}

const joined = <T>(before: Page<T>, next: Page<T>): Page<T> => ({
  ...next,
  results: [...before.results, ...next.results],
})

const READ_AT_ONCE = 1000
const PAGES_MOST = 100

/** Everything, for a file to keep; at most 100,000 rows. */
export async function readAll<T>(read: (at: PageAt & { limit: number }) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = []
  let nextPageKey: string | undefined
  for (let count = 0; count < PAGES_MOST; count++) {
    const page = await read({ limit: READ_AT_ONCE, nextPageKey })
    rows.push(...page.results)
    if (page.nextPageKey === null) break
    nextPageKey = page.nextPageKey
  }
  return rows
}
