// How far something is, of a hundred.
export function ProgressBar({ label, percent }: { label: string; percent: number }) {
  return (
    <div
      class="bar"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
