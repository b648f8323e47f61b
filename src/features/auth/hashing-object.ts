// Where passwords are hashed (N61): apart from everything else, one at a time. A rush of sign-ins waits here, and is turned away
// when it grows too long; no other request waits for it.
import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../platform/env.ts'
import { HASHES_MAX_WAITING, HASHES_MAX_WAITING_OF_ADDRESS } from '../../platform/limits.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { Turns } from './turns.ts'

export class HashingObject extends DurableObject<Env> {
  /** Requests that wait for this thread run between two rounds. */
  readonly #between = () => scheduler.wait(0)
  readonly #turns = new Turns(HASHES_MAX_WAITING, HASHES_MAX_WAITING_OF_ADDRESS, this.#between)

  /** Undefined: too many wait already. */
  hash(password: string, asker: string): Promise<{ made: string } | undefined> {
    return this.#turns.take(asker, () => hashPassword(password, this.#between))
  }

  verify(password: string, hash: string | null, asker: string): Promise<{ made: boolean } | undefined> {
    return this.#turns.take(asker, () => verifyPassword(password, hash, this.#between))
  }
}
