// Where what has the focus goes away, as a suggestion does that is confirmed, or is moved, the focus stays in the same place: on the
// choice before it, and never on nothing.
import { useLayoutEffect, useRef } from 'preact/hooks'

const choicesIn = (place: Element) => [...place.querySelectorAll<HTMLElement>('select, input:not([tabindex])')]

const isBefore = (one: Node, other: Node) =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** Of the place that this component draws. */
export function useFocusStays<Place extends HTMLElement>() {
  const place = useRef<Place>(null)
  const at = document.activeElement
  // While it is drawn, all is as it was before.
  const held = at instanceof HTMLElement && place.current?.contains(at) ? at : undefined
  const before = held && place.current ? choicesIn(place.current).filter(each => isBefore(each, held)).length : 0
  useLayoutEffect(() => {
    const { current } = place
    if (!held || !current || document.activeElement !== document.body) return
    const choices = choicesIn(current)
    const next = held.isConnected ? held : (choices[Math.max(0, before - 1)] ?? current.querySelector('button'))
    next?.focus()
  })
  return place
}
