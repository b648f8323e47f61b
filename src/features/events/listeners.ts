// Which workflows (by trigger key) and endpoints (by list of events) an event goes to.
import type { Kind } from '../../platform/kind.ts'
import { changeKeys } from '../history/change-event.ts'
import type { Interest } from '../history/unread-store.ts'

interface Listener {
  includeLoads: boolean
  createdOn: number
  /** The change record after which it gets changes by loads. */
  loadsAfterSeq: number
}

export interface ListeningWorkflow extends Listener {
  id: string
  triggerKey: string
  /** The change record after which it gets changes: before that it may have been a draft. */
  afterSeq: number
}

export interface ListeningEndpoint extends Listener {
  name: string
  /** Trigger keys, `<type>|*` or `*`. */
  events: readonly string[]
}

export interface Listeners {
  workflows: readonly ListeningWorkflow[]
  endpoints: readonly ListeningEndpoint[]
}

export interface Occurrence {
  key: string
  /** Its place in commit order; of what is no change, where reading stands. */
  seq: number
  /** The place of what is no change, among its like. */
  published?: number
  isLoad: boolean
  createdOn: number
  /** Of the run that caused it; 0: none did. */
  depth: number
  event: Record<string, unknown>
}

export function interestOf({ workflows, endpoints }: Listeners, kinds: readonly Kind[]): Interest {
  const changes = changeKeys(kinds.filter(kind => kind.recorded))
  const isWanted = (key: string) =>
    workflows.some(workflow => workflow.triggerKey === key) || endpoints.some(({ events }) => covers(events, key))
  return {
    keys: changes.filter(isWanted),
    includeLoads: [...workflows, ...endpoints].some(listener => listener.includeLoads),
  }
}

function covers(events: readonly string[], key: string): boolean {
  return events.some(event => event === '*' || event === key || event === `${key.split('|')[0]}|*`)
}

/** A listener gets no event from before it existed, and changes by loads only if it asked for them. */
export function listenersTo(
  { key, seq, published, isLoad, createdOn }: Occurrence,
  { workflows, endpoints }: Listeners,
) {
  const isTold = ({ includeLoads, loadsAfterSeq, createdOn: since }: Listener) =>
    createdOn >= since && (!isLoad || (includeLoads && seq > loadsAfterSeq))
  const wasThere = ({ afterSeq }: ListeningWorkflow) => published !== undefined || seq > afterSeq
  return {
    workflows: workflows.filter(each => each.triggerKey === key && isTold(each) && wasThere(each)),
    endpoints: endpoints.filter(endpoint => covers(endpoint.events, key) && isTold(endpoint)),
  }
}
