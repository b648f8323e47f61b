// Accepting an invitation: a password, and one is signed in.
import { useLocation } from 'preact-iso/router'
import { postOpen } from '../state/open-call.ts'
import { signedIn } from '../state/session.ts'
import { TokenDoor } from './token-door.tsx'

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
