// How many there are beside those that are shown.
import { counted } from '../state/format.ts'

export function More({ count, one }: { count: number; one: string }) {
  return count > 0 ? <p class="soft">… and {counted(count, `more ${one}`)}.</p> : null
}
