// What this tab has done and can take back: the button of the message and Ctrl Z do the same. Once taken back, it is gone.
import { dismiss, tell } from './toasts.ts'

interface Done {
  toast: number
  run: () => Promise<void>
}

const MOST = 50
let done: readonly Done[] = []
/** What comes before all that is saved, such as cells that are not; the latest first. */
let unsaved: readonly (() => boolean)[] = []

export function tellUndoable(text: string, run: () => Promise<void>): void {
  const entry: Done = { toast: 0, run }
  entry.toast = tell(text, { label: 'Undo', run: () => takeBack(entry) })
  done = [...done.slice(1 - MOST), entry]
}

async function takeBack(entry: Done): Promise<void> {
  if (!done.includes(entry)) return
  done = done.filter(each => each !== entry)
  dismiss(entry.toast)
  await entry.run()
}

/** False where there is nothing to take back. */
export function takeBackLast(): boolean {
  if (unsaved.some(undo => undo())) return true
  const last = done.at(-1)
  if (last) void takeBack(last)
  return last !== undefined
}

/** `undo` says whether it had something to take back. Gives the way to leave. */
export function undoFirst(undo: () => boolean): () => void {
  unsaved = [undo, ...unsaved]
  return () => {
    unsaved = unsaved.filter(each => each !== undo)
  }
}

/** Where Ctrl Z belongs to the text that is being written. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target.isContentEditable
}
