// The way to the object that hashes passwords.
import type { OpenContext } from '../../platform/context.ts'
import { Fault } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/rate-limit.ts'

type Asking = Pick<OpenContext, 'env' | 'address'>

const hashing = ({ env }: Asking) => env.HASHING.get(env.HASHING.idFromName('passwords'))
const askerOf = ({ address }: Asking) => networkOf(address ?? 'local')

export async function hashed(context: Asking, password: string): Promise<string> {
  return inTurn(await hashing(context).hash(password, askerOf(context)))
}

/** Takes as long for nobody's password as for anybody's. */
export async function isPassword(context: Asking, password: string, hash: string | null | undefined): Promise<boolean> {
  return inTurn(await hashing(context).verify(password, hash ?? null, askerOf(context)))
}

function inTurn<T>(answer: { made: T } | undefined): T {
  if (answer) return answer.made
  throw new Fault('unavailable', 'Very many passwords are being checked. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  })
}
