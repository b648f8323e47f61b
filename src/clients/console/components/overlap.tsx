// How long the secret before goes on working, so that the other side can change at its own time.
import { OVERLAPS } from '../state/terms.ts'
import { Field, textOf } from './field.tsx'

interface OverlapProps {
  label: string
  seconds: number
  choose(seconds: number): void
}

export function Overlap({ label, seconds, choose }: OverlapProps) {
  return (
    <Field label={label}>
      {field => (
        <select {...field} value={String(seconds)} onChange={event => choose(Number(textOf(event)))}>
          {OVERLAPS.map(([each, text]) => (
            <option key={each} value={String(each)}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
