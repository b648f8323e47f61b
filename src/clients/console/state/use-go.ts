// Going to another page without a link. Whoever would leave a form half made is asked; what ends late takes nobody away from
// where they are by then, and is told with the way there.
import { useLocation } from 'preact-iso/router'
import { tell } from './toasts.ts'
import { mayLeave } from './unsaved.ts'
import { useIsHere } from './use-is-here.ts'

/** For messages and Ctrl Z, wherever somebody is when they take it. */
export function useGo(): (href: string) => void {
  const { route } = useLocation()
  return href => {
    if (mayLeave()) route(href)
  }
}

/** For the end of something that was sent from this page; `text` says what was done, unless that is told elsewhere. */
export function useArrive(): (href: string, text?: string) => void {
  const { route } = useLocation()
  const go = useGo()
  const isHere = useIsHere()
  // The page that was asked for meanwhile may still be on its way.
  const from = location.pathname
  return (href, text) => {
    const isSeen = isHere.current && location.pathname === from
    if (text !== undefined) tell(text, isSeen ? undefined : { label: 'Look at it', run: () => go(href) })
    if (isSeen) route(href)
  }
}
