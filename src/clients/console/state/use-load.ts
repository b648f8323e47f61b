// What a page has asked for: on its way, there, or failed. While it is asked for again, what was there stays.
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isMissing } from './fault-words.ts'
import { returns } from './session.ts'

export interface Loaded<T> {
  value: T | undefined
  error: unknown
  isLoading: boolean
  reload(): Promise<void>
  /** Instead of what was there for the same question. */
  set(value: T): void
  /** What is there, made anew of what was; nothing where it is not there any more. */
  change(make: (before: T) => T): void
}

interface Held<T> {
  key: string | undefined
  value: T | undefined
  error: unknown
  isLoading: boolean
}

/**
 * Asks anew whenever `key` changes, and nothing while there is none. `everyMs` asks again and again while the page can be seen; what is
 * `ready` is not asked for first.
 */
export function useLoad<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
  ready?: () => T | undefined,
): Loaded<T> {
  const [held, setHeld] = useState<Held<T>>(() => {
    const value = ready?.()
    return { key, value, error: undefined, isLoading: key !== undefined && value === undefined }
  })
  const isReady = useRef(!held.isLoading)
  /** What is not there is not asked for again and again. */
  const isGone = useRef(false)
  // Somebody who began before the question changed, as an upload does, asks for what is shown when it ends.
  const latest = useRef({ key, load })
  latest.current = { key, load }
  const ask = useCallback(async (signal: AbortSignal) => {
    const { key, load } = latest.current
    try {
      const value = await load(signal)
      if (signal.aborted) return
      isGone.current = false
      setHeld({ key, value, error: undefined, isLoading: false })
    } catch (error) {
      if (signal.aborted) return
      isGone.current = isMissing(error)
      setHeld(before => ({ key, value: before.key === key ? before.value : undefined, error, isLoading: false }))
    }
  }, [])
  const stop = useRef<AbortController | undefined>(undefined)
  const reload = useCallback(async () => {
    stop.current?.abort()
    if (latest.current.key === undefined) return
    const controller = new AbortController()
    stop.current = controller
    setHeld(before => (before.isLoading ? before : { ...before, isLoading: true }))
    await ask(controller.signal)
  }, [])
  // At once: after the page is painted would be a frame later.
  useLayoutEffect(() => {
    if (!isReady.current) void reload()
    else if (key !== undefined) stop.current = new AbortController()
    isReady.current = false
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => {
            const { current } = stop
            if (!document.hidden && !isGone.current && current && !current.signal.aborted) void ask(current.signal)
          }, everyMs)
    return () => {
      stop.current?.abort()
      clearInterval(timer)
    }
  }, [key, everyMs, returns.value])
  const isOfKey = held.key === key
  return {
    value: isOfKey ? held.value : undefined,
    error: isOfKey ? held.error : undefined,
    isLoading: isOfKey ? held.isLoading : key !== undefined,
    reload,
    set: value => setHeld(before => (before.key === key ? { key, value, error: undefined, isLoading: false } : before)),
    change: make =>
      setHeld(before =>
        before.key === key && before.value !== undefined ? { ...before, value: make(before.value) } : before,
      ),
  }
}
