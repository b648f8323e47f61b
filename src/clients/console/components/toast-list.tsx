// What was just done, told to eyes and screen readers, with the way back.
import { dismiss, type Toast, toasts } from '../state/toasts.ts'

export function ToastList() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map(toast => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast: { id, text, isWrong, act } }: { toast: Toast }) {
  const run = () => {
    dismiss(id)
    void act?.run()
  }
  return (
    <div class={isWrong ? 'toast wrong' : 'toast'} role={isWrong ? 'alert' : 'status'}>
      <p>{text}</p>
      {act && (
        <button type="button" onClick={run}>
          {act.label}
        </button>
      )}
      <button type="button" class="plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
        ✕
      </button>
    </div>
  )
}
