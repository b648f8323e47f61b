// What becomes of a transaction that moves an organization's clock under an epoch of the past (N56): it has failed whole, so that it
// can be made again where the organization is now.
import { Fault } from '../../errors.ts'
import type { Database } from '../client.ts'
import { FENCED } from './clock.ts'

const isFenced = (error: unknown) => error instanceof Error && error.message.includes(FENCED)

export async function withinEpoch<T>(db: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isFenced(error)) throw error
  }
  const isElsewhere = await db.lookAgain()
  try {
    if (isElsewhere) return await write()
  } catch (error) {
    if (!isFenced(error)) throw error
  }
  throw new Fault('unavailable', 'The organization is just moving to another database. Try again.', {
    headers: { 'Retry-After': '1' },
  })
}
