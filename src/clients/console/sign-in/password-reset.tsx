// A new password by a one-time link. All sessions end; the next step is to sign in.
import { useLocation } from 'preact-iso/router'
import { postOpen } from '../state/open-call.ts'
import { tell } from '../state/toasts.ts'
import { TokenDoor } from './token-door.tsx'

export function PasswordReset() {
  const { route } = useLocation()
  const reset = async (token: string, newPassword: string) => {
    await postOpen('/auth/password-reset', { token, newPassword })
    tell('The password is set. Sign in with it.')
    route('/console/', true)
  }
  return (
    <TokenDoor
      title="Set a new password"
      about="The link works once. Your other sessions and user keys in this organization end."
      act="Set the password"
      run={reset}
    />
  )
}
