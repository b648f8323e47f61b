// Where files are dropped, or chosen by a button.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

interface DropAreaProps {
  /** Read out before its buttons. */
  title: string
  prompt: string
  button: string
  isMain: boolean
  /** What the field for files is called, which is not seen. */
  label: string
  multiple?: boolean
  accept?: string
  take(files: File[]): void
  children?: ComponentChildren
}

export function DropArea({ title, prompt, button, isMain, label, multiple, accept, take, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  return (
    <fieldset
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <legend class="hidden">{title}</legend>
      <p>{prompt}</p>
      <button type="button" class={isMain ? 'main' : ''} onClick={() => input.current?.click()}>
        {button}
      </button>
      <input
        ref={input}
        class="hidden"
        type="file"
        multiple={multiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        onChange={event => {
          take([...(event.currentTarget.files ?? [])])
          // The same file again is a change as well.
          event.currentTarget.value = ''
        }}
      />
      {children}
    </fieldset>
  )
}
