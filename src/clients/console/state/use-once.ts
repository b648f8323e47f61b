// Something that must not be done twice at once: a second click, or Enter held down, comes to nothing.
import { useRef, useState } from 'preact/hooks'

export function useOnce<Given extends unknown[]>(run: (...given: Given) => Promise<void>) {
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const start = async (...given: Given) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await run(...given)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, start }
}
