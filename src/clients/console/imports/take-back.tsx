// A load is taken back after a look at what that would do, which may take its time and can be given up.
import { useEffect, useState } from 'preact/hooks'
import type { RevertProcess } from '../../typescript/index.ts'
import { Dialog } from '../components/dialog.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { to } from '../state/address.ts'
import { counted } from '../state/format.ts'
import { isReverting, lookAhead, revertPlan } from '../state/reverts.ts'
import { client } from '../state/session.ts'
import { attempt, tellFault } from '../state/toasts.ts'
import { useArrive } from '../state/use-go.ts'
import { useOnce } from '../state/use-once.ts'

export function TakeBack({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Take this load back
      </button>
      {isOpen && <Ahead id={id} close={() => setOpen(false)} />}
    </>
  )
}

function Ahead({ id, close }: { id: string; close(): void }) {
  const [seen, setSeen] = useState<RevertProcess | undefined>(undefined)
  const arrive = useArrive()
  useEffect(() => {
    const stop = new AbortController()
    lookAhead(id, stop.signal, setSeen).then(
      ended => {
        if (!stop.signal.aborted) setSeen(ended)
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        tellFault('It cannot be taken back', error)
        close()
      },
    )
    return () => stop.abort()
  }, [id])
  const takeBack = useOnce(async () => {
    const started = await attempt('Nothing was taken back', () => client.reverts.startForLoad({ id }))
    if (started) arrive(to.revert(started.id), 'Taking the load back.')
  })
  const isKnown = seen?.status === 'completed'
  const isOver = seen !== undefined && !isReverting(seen)
  return (
    <Dialog title="Take this load back?" close={close} isBusy={takeBack.isBusy}>
      <p role="status">
        {isKnown ? revertPlan(seen) : !isOver && 'Working out what that would do. Nothing is changed yet.'}
      </p>
      {!isOver && (
        <>
          <ProgressBar label="Progress of the look ahead" percent={seen?.progress.percent ?? 0} />
          <p class="soft">
            {seen ? `${counted(seen.progress.changesDone, 'change')} looked at` : 'It is about to begin.'}
          </p>
        </>
      )}
      {isKnown && <p class="soft">What others have changed since, or refer to, is left alone and listed.</p>}
      {isOver && !isKnown && (
        <p class="fault" role="alert">
          What it would do could not be found out{seen.failure ? `: ${seen.failure}` : '.'}
        </p>
      )}
      <div class="line">
        {isKnown && (
          <button
            key="act"
            type="button"
            class="danger"
            aria-disabled={takeBack.isBusy}
            onClick={() => void takeBack.start()}
          >
            Take it back
          </button>
        )}
        <button key="leave" type="button" disabled={takeBack.isBusy} onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
