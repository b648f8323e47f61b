// Whether the page that began something is still there: else its end is told by a message.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  return isHere
}
