// Workflows that listen to changes, and changes that nobody was woken for.
import { kindNamed } from '../../../src/kinds.ts'
import type { ActorType } from '../../../src/platform/context.ts'
import { databaseFor } from '../../../src/platform/db/client.ts'
import { commit } from '../../../src/platform/db/commit/commit.ts'
import type { Write } from '../../../src/platform/db/commit/write.ts'
import { newId } from '../../../src/platform/ids.ts'
import { env, type Json, type TestOrg } from '../api.ts'
import type { Found } from './runs.ts'

export const tasks = [{ name: 'note', action: 'expression', config: { output: { event: '{event}' } } }]

export function listener(org: TestOrg, triggerKey: string, more: Json = {}) {
  return org.make('/event-workflows', { name: triggerKey, triggerKey, paths: [{ tasks }], ...more })
}

/** A commit whose Worker dies before it can wake anybody. */
export async function commitAndDie(org: TestOrg, writes: Write[], type: ActorType = 'app'): Promise<void> {
  const scope = {
    db: databaseFor(env, org.id),
    org: { id: org.id, slug: org.slug },
    actor: { id: 'x', type },
    now: Date.now(),
  }
  await commit(scope, writes)
}

export const item = (name: string): Write => ({
  op: 'create',
  kind: kindNamed('item'),
  id: newId(),
  data: { typePath: 'item', name },
})

export const ended = (count: number) => (found: Found[]) =>
  found.length === count && found.every(process => ['complete', 'failed'].includes(process.status))
