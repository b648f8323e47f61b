// How far a load is: bar, rate, time left.
import type { LoadProcess } from '../../typescript/index.ts'
import { durationText, numberText } from '../state/format.ts'

export function LoadBar({ process: { progress, status } }: { process: LoadProcess }) {
  const { phase, percent, rowsDone, rowsTotal, rowsPerSecond, secondsLeft } = progress
  return (
    <div class="stack">
      <div
        class="bar"
        role="progressbar"
        aria-label="Progress of the load"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <p class="soft">
        {percent} % · {status === 'pending' ? 'waiting for its turn' : phase}
        {rowsTotal !== null && rowsTotal > 0 && ` · ${numberText(rowsDone)} of ${numberText(rowsTotal)} rows`}
        {rowsPerSecond != null && ` · ${numberText(rowsPerSecond)} rows a second`}
        {secondsLeft != null && ` · ${durationText(secondsLeft * 1000)} left`}
      </p>
    </div>
  )
}
