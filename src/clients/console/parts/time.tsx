// A time in words; the exact one on hover.
import { exactTime, timeInWords } from '../state/format.ts'

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return null
  return (
    <time dateTime={at} title={exactTime(at)} class="nowrap">
      {timeInWords(at, Date.now())}
    </time>
  )
}
