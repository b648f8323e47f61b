// Short messages of what was done, with the way back where there is one.
import { signal } from '@preact/signals'
import { words } from './fault-words.ts'

export interface Toast {
  id: number
  text: string
  isWrong: boolean
  act?: { label: string; run: () => Promise<void> | void } | undefined
}

const SHOWN_MS = 8_000
export const toasts = signal<readonly Toast[]>([])
let made = 0

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter(toast => toast.id !== id)
}

/** Its id, to dismiss it by. */
export function tell(text: string, act?: Toast['act']): number {
  return add({ text, isWrong: false, act })
}

/** Something went wrong: it stays until it is dismissed. */
export function tellFault(what: string, error: unknown): void {
  add({ text: `${what}: ${words(error).what}`, isWrong: true })
}

function add(toast: Omit<Toast, 'id'>): number {
  const id = ++made
  toasts.value = [...toasts.value.slice(-3), { ...toast, id }]
  if (!toast.isWrong) setTimeout(() => dismiss(id), SHOWN_MS)
  return id
}

/** Runs something that changes data; a failure is told, and gives undefined. */
export async function attempt<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    tellFault(what, error)
    return undefined
  }
}
