// Over the whole page, and over its dialogs, while nobody is signed in: whoever comes back finds all that was typed below it.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export function Cover({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="cover" aria-label="Sign in again" onCancel={event => event.preventDefault()}>
      {children}
    </dialog>
  )
}
