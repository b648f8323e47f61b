// Whoever shows entities is told when some of them were written: here, or by taking back what another page has done.
import { useEffect, useRef } from 'preact/hooks'
import type { Entity } from '../../typescript/index.ts'

type Told = (entityName: string, entities: readonly Entity[]) => void

const listening = new Set<Told>()

export function tellWritten(entityName: string, entities: readonly Entity[]): void {
  for (const told of listening) told(entityName, entities)
}

export function useWritten(told: Told): void {
  const latest = useRef(told)
  latest.current = told
  useEffect(() => {
    const tell: Told = (...written) => latest.current(...written)
    listening.add(tell)
    return () => {
      listening.delete(tell)
    }
  }, [])
}
