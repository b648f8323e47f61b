// Accepting an invitation: a password, and one is signed in.
import { useLocation } from 'preact-iso/router'
import { TokenDoor } from '../parts/token-door.tsx'
import { postOpen } from '../state/open-call.ts'
import { signedIn } from '../state/session.ts'

export function Invitation() {
  const { route } = useLocation()
  const accept = async (token: string, password: string) => {
    await postOpen('/invitations/accept', { token, password, cookie: true })
    await signedIn()
    route('/console/', true)
  }
  return (
    <TokenDoor
      title="Join the organization"
      about="Somebody has invited you. Choose a password; it counts in this organization alone."
      act="Join and sign in"
      run={accept}
    />
  )
}
