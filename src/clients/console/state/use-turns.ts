// Answers may come in another order than they were asked for: only the last question counts.
import { useRef } from 'preact/hooks'

/** Begins a turn; what it gives says whether it is still the last one. */
export function useTurns(): () => () => boolean {
  const last = useRef(0)
  return () => {
    const turn = ++last.current
    return () => turn === last.current
  }
}
