// A button that copies a text and says so.
import { useState } from 'preact/hooks'

export function Copy({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const [state, setState] = useState<'' | 'Copied' | 'Copying is not allowed here'>('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('Copied')
    } catch {
      setState('Copying is not allowed here')
    }
    setTimeout(() => setState(''), 2_000)
  }
  return (
    <button type="button" class="link" onClick={() => void copy()}>
      {state || label}
      <span class="hidden"> {what}</span>
    </button>
  )
}
