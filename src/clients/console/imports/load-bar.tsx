// How far a load is: bar, rate, time left.
import type { LoadProcess } from '../../typescript/index.ts'
import { ProgressBar } from '../components/progress-bar.tsx'
import { numberText, secondsText } from '../state/format.ts'
import { phaseWords } from '../state/load-words.ts'

export function LoadBar({ process }: { process: LoadProcess }) {
  const { percent, rowsDone, rowsTotal, rowsPerSecond, secondsLeft } = process.progress
  return (
    <div class="stack">
      <ProgressBar label="Progress of the load" percent={percent} />
      <p class="soft">
        {percent} % · {phaseWords(process)}
        {rowsTotal !== null && rowsTotal > 0 && ` · ${numberText(rowsDone)} of ${numberText(rowsTotal)} rows`}
        {rowsPerSecond != null && ` · ${numberText(rowsPerSecond)} rows a second`}
        {secondsLeft != null && ` · ${secondsText(secondsLeft)} left`}
      </p>
    </div>
  )
}
