// The clock that the service reads, held still, and that of an organization, put ahead: what depends on time then does not depend on how fast the machine is.
import { onTestFinished, vi } from 'vitest'
import { env, type TestOrg } from './api.ts'

export interface Clock {
  forward(ms: number): void
}

export function holdClock(): Clock {
  let time = Date.now()
  const now = vi.spyOn(Date, 'now').mockImplementation(() => time)
  onTestFinished(() => now.mockRestore())
  return {
    forward: ms => {
      time += ms
    },
  }
}

/** As commits leave it that are made while the platform's clock is ahead. */
export async function commitAhead(org: TestOrg, ms: number): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('UPDATE changes SET created_on = created_on + ?2 WHERE org_id = ?1').bind(org.id, ms),
    env.DB.prepare(
      'UPDATE entities SET created_on = created_on + ?2, updated_on = updated_on + ?2 WHERE org_id = ?1',
    ).bind(org.id, ms),
    env.DB.prepare('UPDATE endpoints SET created_on = created_on + ?2 WHERE org_id = ?1').bind(org.id, ms),
    env.DB.prepare('UPDATE clocks SET time = time + ?2 WHERE org_id = ?1').bind(org.id, ms),
  ])
}
