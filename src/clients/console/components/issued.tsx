// Secrets that are shown this once, each until somebody says that they have it.
import { useState } from 'preact/hooks'
import { tellFault } from '../state/toasts.ts'
import { useDirty } from '../state/unsaved.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { Copy } from './copy.tsx'

export interface Secret {
  /** "The key “Nightly sync”". */
  title: string
  secret: string
  what: string
  advice: string
  /** What is to be done with one that nobody saw. */
  unseen: string
}

/** Those that nobody has taken yet, the latest first; what comes when its page has been left is told. */
export function useIssued() {
  const [secrets, setSecrets] = useState<readonly Secret[]>([])
  const isHere = useIsHere()
  const show = (secret: Secret) => {
    if (isHere.current) setSecrets(before => [secret, ...before])
    else tellFault(`${secret.title} was made, and nobody saw it`, new Error(secret.unseen))
  }
  const take = (secret: Secret) => setSecrets(before => before.filter(each => each !== secret))
  return { show, issued: secrets.map(each => <Issued key={each.secret} {...each} close={() => take(each)} />) }
}

function Issued({ title, secret, what, advice, close }: Secret & { close(): void }) {
  useDirty(true, 'What is shown here once cannot be shown again, and you have not said that you have it.')
  return (
    <section class="panel issued stack" role="status">
      <h2>{title}, this once</h2>
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

export const issuedKey = (name: string, secret: string, word: 'key' | 'token' = 'key'): Secret => ({
  title: `The ${word} “${name}”`,
  secret,
  what: `the ${word}`,
  advice: 'Keep it where programs read secrets. Nobody can show it again.',
  unseen: 'Revoke it, and make another.',
})

export const issuedLink = (email: string, secret: string): Secret => ({
  title: `A link for ${email}`,
  secret,
  what: 'the link',
  advice: 'Hand it over. It works once, and cannot be shown again.',
  unseen: 'Make another.',
})
