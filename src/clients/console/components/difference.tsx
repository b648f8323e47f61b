// What a change made of a value: old and new, and in long texts the words that changed.
import { diffWordsWithSpace } from 'diff'
import type { TypeProperty } from '../../typescript/index.ts'
import { plainText } from '../state/format.ts'
import { Value } from './value.tsx'

/** From here on, words are compared instead of showing the whole twice. */
const LONG = 24

interface DifferenceProps {
  slug: string
  property: TypeProperty | undefined
  oldValue: unknown
  newValue: unknown
}

export function Difference({ slug, property, oldValue, newValue }: DifferenceProps) {
  if (typeof oldValue === 'string' && typeof newValue === 'string' && oldValue.length + newValue.length > LONG * 2) {
    return (
      <span>
        {diffWordsWithSpace(oldValue, newValue).map((part, at) =>
          part.added ? <ins key={at}>{part.value}</ins> : part.removed ? <del key={at}>{part.value}</del> : part.value,
        )}
      </span>
    )
  }
  const shown = (value: unknown) =>
    plainText(value) === '' ? <span class="soft">empty</span> : <Value slug={slug} value={value} property={property} />
  return (
    <span>
      {oldValue !== null && oldValue !== undefined && (
        <>
          <del>{shown(oldValue)}</del> <span aria-hidden="true">→</span> <span class="hidden">became</span>{' '}
        </>
      )}
      <ins>{shown(newValue)}</ins>
    </span>
  )
}
