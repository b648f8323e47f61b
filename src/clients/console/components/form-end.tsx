// What every form of a dialog ends with: what is wrong, the button that does it, and the way out.

interface FormEndProps {
  act: string
  fault?: string | undefined
  isDanger?: boolean
  isDisabled?: boolean
  /** It is being sent. */
  isBusy?: boolean
  /** To cancel stops what is being sent. */
  canStop?: boolean
  close(): void
}

export function FormEnd(props: FormEndProps) {
  const { act, fault, isDanger = false, isDisabled = false, isBusy = false, canStop = false, close } = props
  return (
    <>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <div class="line">
        <button type="submit" class={isDanger ? 'danger' : 'main'} disabled={isDisabled || isBusy}>
          {act}
        </button>
        <button type="button" disabled={isBusy && !canStop} onClick={close}>
          Cancel
        </button>
      </div>
    </>
  )
}
