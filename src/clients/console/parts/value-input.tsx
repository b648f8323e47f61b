// The editor that fits a property: a list of options, a date, a number, or plain text. It gives text; cell-text.ts reads it.
import type { TypeProperty } from '../../typescript/index.ts'
import { optionsOf } from '../state/catalog.ts'
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
  const type = property?.propertyType
  const entityName = leadsTo(property?.slug ?? slug ?? '')
  const set = (event: { currentTarget: { value: string } }) => change(textOf(event))
  if (type === 'boolean' || isBoolean) {
    return (
      <select {...attributes} ref={inputRef ?? null} value={text} onChange={set}>
        <option value="">—</option>
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    )
  }
  const isList = type === 'object_ref_list' || (property?.slug ?? slug)?.endsWith('Ids')
  if (type === 'object_reference' || (entityName && !isList)) {
    return <ReferenceInput {...{ entityName, text, change, attributes, inputRef }} />
  }
  if (property && type === 'choice') {
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
  if (type === 'text' || type === 'json') {
    return <textarea {...attributes} ref={inputRef ?? null} value={text} onInput={set} />
  }
  if (type === 'date') return <input {...attributes} ref={inputRef ?? null} type="date" value={text} onInput={set} />
  const isNumber = type === 'number' || type === 'currency' || type === 'percent'
  return (
    <input
      {...attributes}
      ref={inputRef ?? null}
      type="text"
      inputMode={isNumber ? 'decimal' : undefined}
      value={text}
      onInput={set}
    />
  )
}
