// Over the whole page, and over its dialogs, while nobody is signed in: whoever comes back finds all that was typed below it.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export function Cover({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A browser closes it at the second Escape, whatever it is asked.
  const open = () => dialog.current?.showModal()
  useLayoutEffect(open, [])
  return (
    <dialog
      ref={dialog}
      class="cover"
      aria-label="Sign in again"
      onCancel={event => event.preventDefault()}
      onClose={open}
    >
      {children}
    </dialog>
  )
}
