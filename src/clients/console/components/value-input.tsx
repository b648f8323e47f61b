// The editor that fits a property: a list of options, a date, a number, or plain text. It gives text; cell-text.ts reads it.
import { useState } from 'preact/hooks'
import type { TypeProperty } from '../../typescript/index.ts'
import { optionsOf } from '../state/catalog.ts'
import { editorOf } from '../state/editor-kind.ts'
import { leadsTo } from '../state/references.ts'
import { textOf } from './field.tsx'
import { ReferenceInput } from './reference-input.tsx'

interface ValueInputProps {
  property: TypeProperty | undefined
  /** Of a property that no type defines. */
  slug?: string | undefined
  text: string
  change: (text: string) => void
  attributes: Record<string, unknown>
  isBoolean?: boolean
  inputRef?: (input: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null) => void
}

export function ValueInput({ property, slug, text, change, attributes, isBoolean, inputRef }: ValueInputProps) {
  const kind = editorOf({ property, slug, isBoolean })
  // One line would lose them all at the first key.
  const [hasLines] = useState(() => /[\r\n]/.test(text))
  const set = (event: { currentTarget: { value: string } }) => change(textOf(event))
  if (kind === 'yes-no') {
    return (
      <select {...attributes} ref={inputRef ?? null} value={text} onChange={set}>
        <option value="">—</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    )
  }
  if (kind === 'reference') {
    const entityName = leadsTo(property?.slug ?? slug ?? '')
    return <ReferenceInput {...{ entityName, text, change, attributes, inputRef }} />
  }
  if (property && kind === 'choice') {
    return (
      <select {...attributes} ref={inputRef ?? null} value={text} onChange={set}>
        <option value="">—</option>
        {optionsOf(property).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'lines' || (kind === 'text' && hasLines)) {
    return <textarea {...attributes} ref={inputRef ?? null} value={text} onInput={set} />
  }
  if (kind === 'date') return <input {...attributes} ref={inputRef ?? null} type="date" value={text} onInput={set} />
  return (
    <input
      {...attributes}
      ref={inputRef ?? null}
      type="text"
      inputMode={kind === 'number' ? 'decimal' : undefined}
      value={text}
      onInput={set}
    />
  )
}
