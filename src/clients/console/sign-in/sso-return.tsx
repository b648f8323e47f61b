// Where the identity provider leads back to: the code becomes the session, and nothing of it stays in the address.

import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ErrorPanel, Skeleton } from '../components/shown.tsx'
import { finishSso } from '../state/sso.ts'

export function SsoReturn() {
  const { route } = useLocation()
  const [fault, setFault] = useState<unknown>(undefined)
  useEffect(() => {
    document.title = 'Signing in · Selvedge'
    const answer = new URLSearchParams(location.search)
    history.replaceState(null, '', location.pathname)
    finishSso(answer)
      .then(next => route(next, true))
      .catch(setFault)
  }, [route])
  return (
    <div class="door">
      <main>
        <span class="mark">Selvedge</span>
        <h1>Single sign-on</h1>
        {fault === undefined ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorPanel error={fault} again={() => route('/console/', true)} />
        )}
      </main>
    </div>
  )
}
