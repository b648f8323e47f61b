// A native dialog that is open as long as it is there: Escape and the backdrop close it, focus goes back where it was.
// A press inside it that ends outside, as when text is marked, closes nothing. While something is sent it stays: what looks like
// cancelling would cancel nothing.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { mayLeave, useDirty } from '../state/unsaved.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { useOnce } from '../state/use-once.ts'

interface DialogProps {
  title: string
  close: () => void
  class?: string
  /** Something is being sent. */
  isBusy?: boolean
  /** Whoever leaves it loses what they have typed. */
  isDirty?: boolean
  children: ComponentChildren
}

export function Dialog({ title, close, class: look = '', isBusy = false, isDirty = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useDirty(isDirty)
  const leave = () => {
    const { current } = dialog
    if (!isBusy && (!isDirty || mayLeave())) close()
    // Closed by something else than a key, such as the way back of a phone.
    else if (current && !current.open) current.showModal()
  }
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
      if (isOutside && target === current) leave()
    }
    // A browser closes it at the second Escape, whatever it is asked: where it has to stay, it never gets to know of one. The button
    // that had the focus may be disabled by now.
    const onKey = (event: KeyboardEvent) => {
      const at = document.activeElement
      if (event.key !== 'Escape' || event.defaultPrevented || !(isBusy || isDirty)) return
      if (at !== document.body && !current?.contains(at)) return
      event.preventDefault()
      leave()
    }
    current?.addEventListener('mousedown', onPress)
    current?.addEventListener('click', onBackdrop)
    document.addEventListener('keydown', onKey)
    return () => {
      current?.removeEventListener('mousedown', onPress)
      current?.removeEventListener('click', onBackdrop)
      document.removeEventListener('keydown', onKey)
    }
  }, [close, isBusy, isDirty])
  const onCancel = (event: Event) => {
    // A chosen file can be cancelled as well; and what cannot be stopped is closed next.
    if (event.target !== event.currentTarget || !event.cancelable) return
    event.preventDefault()
    leave()
  }
  return (
    <dialog ref={dialog} class={look} aria-labelledby={heading} onCancel={onCancel} onClose={leave}>
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
  const isHere = useIsHere()
  const { isBusy, start } = useOnce(async () => {
    await run()
    // Another one may be open by now.
    if (isHere.current) close()
  })
  return (
    <Dialog title={title} close={close} isBusy={isBusy}>
      {children}
      <div class="line">
        <button type="button" class="danger" disabled={isBusy} onClick={() => void start()}>
          {act}
        </button>
        <button type="button" disabled={isBusy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
