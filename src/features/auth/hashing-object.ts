// Where passwords are hashed (N61): apart from everything else, one at a time. A rush of sign-ins waits here, and is turned away
// when it grows too long; nobody else waits for it.
import { DurableObject } from 'cloudflare:workers'
import { letPass, NOBODY } from '../../platform/company/company.ts'
import type { Env } from '../../platform/env.ts'
import { HASHES_MAX_WAITING, HASHES_MAX_WAITING_OF_ADDRESS, HASHES_SHARE_FOR_OTHERS } from '../../platform/limits.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { Turns } from './turns.ts'

export class HashingObject extends DurableObject<Env> {
  readonly #between = () => letPass(NOBODY, HASHES_SHARE_FOR_OTHERS)
  readonly #turns = new Turns(HASHES_MAX_WAITING, HASHES_MAX_WAITING_OF_ADDRESS, this.#between)

  /** Undefined: too many wait already. */
  hash(password: string, asker: string): Promise<{ made: string } | undefined> {
    return this.#turns.take(asker, () => hashPassword(password, this.#between))
  }

  verify(password: string, hash: string | null, asker: string): Promise<{ made: boolean } | undefined> {
    return this.#turns.take(asker, () => verifyPassword(password, hash, this.#between))
  }
}
