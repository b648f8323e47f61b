// What this tab has done and can take back: the button of the message and Ctrl Z do the same. Once taken back, it is gone.
import { mayPass } from './fault-words.ts'
import { dismiss, tell, tellFault } from './toasts.ts'

interface Done {
  text: string
  toast: number
  run: () => Promise<void>
  failed: string
}

const MOST = 50
let done: readonly Done[] = []
/** What comes before all that is saved, such as cells that are not; the latest first. */
let unsaved: readonly (() => boolean)[] = []

/** `run` throws where it has not taken it back; `failed` is what is said then. */
export function tellUndoable(text: string, run: () => Promise<void>, failed = 'Taking back failed'): void {
  offer({ text, toast: 0, run, failed })
}

function offer(entry: Done): void {
  entry.toast = tell(entry.text, { label: 'Undo', run: () => takeBack(entry) })
  done = [...done.slice(1 - MOST), entry]
}

async function takeBack(entry: Done): Promise<void> {
  if (!done.includes(entry)) return
  done = done.filter(each => each !== entry)
  dismiss(entry.toast)
  try {
    await entry.run()
  } catch (error) {
    tellFault(entry.failed, error)
    // What will be refused again must not stand before what else can be taken back.
    if (mayPass(error)) offer(entry)
  }
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
