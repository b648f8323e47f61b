// What has been on the screen: more is drawn, and asked for, once people see the first of it.
import { useLayoutEffect, useState } from 'preact/hooks'

/** The value with which the page was last painted. */
export function usePainted<T>(value: T): T | undefined {
  const [painted, setPainted] = useState<T | undefined>(undefined)
  useLayoutEffect(() => {
    // The second frame begins when the first one has been painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setPainted(() => value))
    })
    return () => cancelAnimationFrame(frame)
  }, [value])
  return painted
}
