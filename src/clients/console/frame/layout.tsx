// What every page stands in: navigation at the side, and on phones a bar at the bottom, whose menu holds the rest of it.
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Dialog } from '../components/dialog.tsx'

interface LayoutProps {
  Side: FunctionComponent
  /** What the bar holds before its menu. */
  bar: ComponentChildren
  children: ComponentChildren
}

export function Layout({ Side, bar, children }: LayoutProps) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { path } = useLocation()
  useEffect(() => {
    if (path !== '') setMenuOpen(false)
  }, [path])
  return (
    <>
      <a class="button skip" href="#main">
        Skip to the page
      </a>
      <div class="frame">
        <Side />
        <main class="content" id="main" tabIndex={-1}>
          {children}
        </main>
        <nav class="bottom" aria-label="Bar">
          {bar}
          <button type="button" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(true)}>
            More
          </button>
        </nav>
      </div>
      {isMenuOpen && (
        <Dialog title="More" class="sheet" close={() => setMenuOpen(false)}>
          <Side />
        </Dialog>
      )}
    </>
  )
}
