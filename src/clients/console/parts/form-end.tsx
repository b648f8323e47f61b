// What every form of a dialog ends with: what is wrong, the button that does it, and the way out.

interface FormEndProps {
  act: string
  fault?: string | undefined
  isDanger?: boolean
  isDisabled?: boolean
  /** It is being sent. */
  isBusy?: boolean
  close(): void
}

export function FormEnd({ act, fault, isDanger = false, isDisabled = false, isBusy = false, close }: FormEndProps) {
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
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </>
  )
}
