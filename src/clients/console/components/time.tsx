// A time in words; the exact one on hover.
import { exactTime, timeInWords } from '../state/format.ts'

export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return null
  // A property of somebody's own may be called like a time.
  if (Number.isNaN(Date.parse(at))) return <>{at}</>
  return (
    <time dateTime={at} title={exactTime(at)} class="nowrap">
      {timeInWords(at, Date.now())}
    </time>
  )
}
