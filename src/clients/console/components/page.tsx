// The head of every page: one title, which the browser's tab says too, and what can be done here.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { isPaletteOpen } from '../state/palette.ts'
import { HowToButton } from './how-to.tsx'

interface PageProps {
  title: string
  count?: string | undefined
  crumbs?: ComponentChildren
  acts?: ComponentChildren
  /** There is nothing to search: the operator sees no data. */
  isPlain?: boolean
  children: ComponentChildren
}

export function Page({ title, count, crumbs, acts, isPlain = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Selvedge`
  }, [title])
  return (
    <>
      <header class="top">
        <h1>
          {crumbs && <span class="crumbs">{crumbs} / </span>}
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </h1>
        {acts}
        <HowToButton />
        {!isPlain && (
          <button type="button" class="find" onClick={() => (isPaletteOpen.value = true)}>
            <span>Search</span> <kbd>Ctrl K</kbd>
          </button>
        )}
      </header>
      {children}
    </>
  )
}
