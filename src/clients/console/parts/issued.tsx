// A secret that is shown this once, until somebody says that they have it.
import { Copy } from './copy.tsx'

interface IssuedProps {
  title: string
  secret: string
  what: string
  advice: string
  close(): void
}

export function Issued({ title, secret, what, advice, close }: IssuedProps) {
  return (
    <section class="panel issued stack" role="status">
      <h2>{title}</h2>
      <p class="line">
        <code>{secret}</code> <Copy text={secret} what={what} />
      </p>
      <p class="soft">{advice}</p>
      <div class="line">
        <button type="button" onClick={close}>
          I have it
        </button>
      </div>
    </section>
  )
}

export const KEY_ADVICE = 'Keep it where programs read secrets. Nobody can show it again.'
