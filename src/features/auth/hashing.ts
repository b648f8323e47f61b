// The way to the objects that hash passwords.
import type { OpenContext } from '../../platform/context.ts'
import { namespaceOf } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/rate-limit.ts'
import type { HashingObject } from './hashing-object.ts'

type Asking = Pick<OpenContext, 'env' | 'address'>

/** One object hashes about five passwords a second. */
const SHARDS = 8

const askerOf = ({ address }: Asking) => networkOf(address ?? 'local')

/** The same network always comes to the same object: its rush fills one queue. */
function shardOf(network: string): number {
  let sum = 0
  for (const character of network) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return sum % SHARDS
}

/** Strangers wait among themselves: however many they are, people who have shown who they are get their turn. */
const hashing = (asking: Asking, isKnown: boolean) => {
  const objects = namespaceOf<HashingObject>(asking.env.HASHING)
  const name = isKnown ? 'passwords of known people' : 'passwords'
  return objects.get(objects.idFromName(`${name} ${shardOf(askerOf(asking))}`))
}

/** Only for those who are signed in, or have a link or a key that shows who they are. */
export async function hashed(context: Asking, password: string): Promise<string> {
  return inTurn(await hashing(context, true).hash(password, askerOf(context)))
}

/** Takes equally long for unknown users. `isKnown`: the user has signed in from this address before. */
export async function isPassword(
  context: Asking,
  password: string,
  hash: string | null | undefined,
  isKnown: boolean,
): Promise<boolean> {
  return inTurn(await hashing(context, isKnown).verify(password, hash ?? null, askerOf(context)))
}

function inTurn<T>(answer: { made: T } | undefined): T {
  if (answer) return answer.made
  throw new Fault('unavailable', 'Very many passwords are being checked. Try again in a moment.', {
    headers: { 'Retry-After': '2' },
  })
}
