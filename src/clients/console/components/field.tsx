// A label, its input and what is wrong with it, tied together for everybody.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  fault?: string | undefined
  children: (attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ComponentChildren
}

export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described && { 'aria-describedby': described }),
        ...(fault && { 'aria-invalid': true }),
      })}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  set(text: string): void
  type?: 'text' | 'email' | 'url' | 'password' | 'number'
  class?: string
  name?: string
  min?: string
  max?: string
  autoComplete?: string
  autoCapitalize?: 'none'
  placeholder?: string
  required?: boolean
  minLength?: number
  maxLength?: number
}

/** The usual one: a line of text. */
export function TextField({ label, hint, fault, set, type, ...input }: TextFieldProps) {
  // Preact's types want one literal here.
  const kind = { type: (type ?? 'text') as 'text' }
  return (
    <Field label={label} hint={hint} fault={fault}>
      {field => <input {...field} {...input} {...kind} onInput={event => set(textOf(event))} />}
    </Field>
  )
}

export const textOf = (event: { currentTarget: { value: string } }) => event.currentTarget.value
