// How much of a file has been sent.
import { sizeText } from '../state/format.ts'

export interface Sending {
  name: string
  done: number
  total: number
}

export function UploadBar({ name, done, total }: Sending) {
  return (
    <div role="status">
      <p class="line spread">
        <span>{name}</span>
        <span class="soft">
          {sizeText(done)} of {sizeText(total)}
        </span>
      </p>
      <progress max={total || 1} value={done} aria-label={`Upload of ${name}`} />
    </div>
  )
}
