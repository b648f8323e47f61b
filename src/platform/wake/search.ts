// Has the search index follow a commit: one call for the many commits of a second.
import { type Env, namespaceOf } from '../env.ts'
import { SEARCH_DELAY_MS } from '../search/limits.ts'

const KNOWN_MAX = 10_000
/** Shorter than what the index waits for; it looks once more where it was woken within this time before it looked. */
export const SEARCH_QUIET_MS = SEARCH_DELAY_MS / 2

/** When this isolate last woke the index of an organization. */
const woken = new Map<string, number>()

export async function wakeSearchSoon(env: Env, orgId: string): Promise<void> {
  const now = Date.now()
  if ((woken.get(orgId) ?? 0) > now - SEARCH_QUIET_MS) return
  if (woken.size >= KNOWN_MAX) woken.clear()
  woken.set(orgId, now)
  await wakeSearch(env, orgId)
}

/** What the object of an organization's index takes; the feature `search` has its class. */
interface SearchCalls extends Rpc.DurableObjectBranded {
  wake(orgId: string): Promise<void>
}

export async function wakeSearch(env: Env, orgId: string): Promise<void> {
  await namespaceOf<SearchCalls>(env.SEARCH).getByName(orgId).wake(orgId)
}
