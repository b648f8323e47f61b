// What was asked for: a skeleton while it comes, an error that never looks like "nothing found", or the thing itself.
import type { ComponentChildren } from 'preact'
import { words } from '../state/fault-words.ts'
import type { Loaded } from '../state/use-load.ts'
import { Copy } from './copy.tsx'

export function ErrorPanel({ error, again }: { error: unknown; again?: (() => void) | undefined }) {
  const { title, what, advice, requestId } = words(error)
  return (
    <section class="error" role="alert">
      <h2>{title}</h2>
      <p>{what}</p>
      <p class="soft">{advice}</p>
      <div class="line">
        {again && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        {requestId && (
          <span class="soft">
            Request <code>{requestId}</code> <Copy text={requestId} what="the request id" />
          </span>
        )}
      </div>
    </section>
  )
}

const WIDTHS = ['62%', '84%', '48%', '73%', '90%', '55%']

export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeletons" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="skeleton" style={{ width: WIDTHS[at % WIDTHS.length] ?? '60%' }} />
      ))}
    </div>
  )
}

interface ShownProps<T> {
  of: Loaded<T>
  lines?: number
  children: (value: T) => ComponentChildren
}

/** An answer that could not be renewed stays, under the error. */
export function Shown<T>({ of, lines, children }: ShownProps<T>) {
  const { value, error, reload } = of
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} again={() => void reload()} />}
      {value === undefined ? error === undefined && <Skeleton lines={lines ?? 6} /> : children(value)}
    </>
  )
}
