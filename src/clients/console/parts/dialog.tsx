// A native dialog that is open as long as it is there: Escape and the backdrop close it, focus goes back where it was.
// A press inside it that ends outside, as when text is marked, closes nothing.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useOnce } from '../state/use-once.ts'

interface DialogProps {
  title: string
  close: () => void
  class?: string
  children: ComponentChildren
}

export function Dialog({ title, close, class: look = '', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before the next key arrives.
  useLayoutEffect(() => {
    const { current } = dialog
    const before = document.activeElement
    if (current && !current.open) current.showModal()
    return () => focusAgain(before)
  }, [])
  useEffect(() => {
    const { current } = dialog
    let isOutside = false
    const onPress = ({ target }: MouseEvent) => {
      isOutside = target === current
    }
    const onBackdrop = ({ target }: MouseEvent) => {
      if (isOutside && target === current) close()
    }
    current?.addEventListener('mousedown', onPress)
    current?.addEventListener('click', onBackdrop)
    return () => {
      current?.removeEventListener('mousedown', onPress)
      current?.removeEventListener('click', onBackdrop)
    }
  }, [close])
  return (
    <dialog ref={dialog} class={look} aria-labelledby={heading} onClose={close}>
      <div class="stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Nothing outside of a modal dialog can have the focus before it is gone. */
export function focusAgain(before: Element | null): void {
  queueMicrotask(() => {
    if (before instanceof HTMLElement) before.focus()
  })
}

interface ConfirmProps {
  title: string
  /** What happens, as the button says it: "Delete 5 items". */
  act: string
  run: () => Promise<unknown>
  close: () => void
  children: ComponentChildren
}

export function Confirm({ title, act, run, close, children }: ConfirmProps) {
  const { isBusy, start } = useOnce(async () => {
    await run()
    close()
  })
  return (
    <Dialog title={title} close={close}>
      {children}
      <div class="line">
        <button type="button" class="danger" disabled={isBusy} onClick={() => void start()}>
          {act}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
