// Who is being served here besides: one runtime serves many organizations, and a local one does so on a single thread. Work that
// can wait looks here before each step, takes smaller steps in company, and lets those pass who are being served (N60).
const COMPANY_LASTS_MS = 500
const PASS_MAX_MS = 50
const LOOK_MS = 1

/** Requests under way, by organization; under '' those of which it is not known yet. */
const underWay = new Map<string, number>()
/** When somebody was last here, by organization: the last two are enough to know of another one. */
let last = { orgId: '', on: 0 }
let lastOther = { orgId: '', on: 0 }

const UNKNOWN = ''

/** A request, from its first line to its answer. */
export class Visit {
  #orgId = UNKNOWN

  constructor() {
    add(UNKNOWN, 1)
  }

  isOf(orgId: string): void {
    add(this.#orgId, -1)
    add(orgId, 1)
    this.#orgId = orgId
    note(orgId)
  }

  end(): void {
    add(this.#orgId, -1)
    if (this.#orgId !== UNKNOWN) note(this.#orgId)
  }
}

function add(orgId: string, by: 1 | -1): void {
  const count = (underWay.get(orgId) ?? 0) + by
  if (count > 0) underWay.set(orgId, count)
  else underWay.delete(orgId)
}

function note(orgId: string): void {
  if (last.orgId !== orgId) lastOther = last
  last = { orgId, on: Date.now() }
}

function areOthersServed(orgId: string): boolean {
  return underWay.size > (underWay.has(orgId) ? 1 : 0)
}

/** Whether others than this organization are here, or were a moment ago. */
export function inCompany(orgId: string): boolean {
  if (areOthersServed(orgId)) return true
  const other = last.orgId === orgId ? lastOther : last
  return Date.now() - other.on < COMPANY_LASTS_MS
}

/** How much of its time work gives to others at the most: beside them it takes so much longer, and no more. */
const SHARE_FOR_OTHERS = 0.3

/** What is left of that, by organization. */
const credits = new Map<string, { ms: number; on: number }>()
const CREDITS_MAX = 1000

/**
 * Lets in whoever waits at the door – a local runtime looks there only when it has nothing left to do, and work that goes from one
 * call to the next always has –, and lets them pass.
 */
export async function letPass(orgId: string): Promise<void> {
  await scheduler.wait(0)
  const begun = Date.now()
  const { ms, on } = credits.get(orgId) ?? { ms: 0, on: begun - PASS_MAX_MS }
  const credit = Math.min(PASS_MAX_MS, ms + SHARE_FOR_OTHERS * (begun - on))
  while (areOthersServed(orgId) && Date.now() - begun < credit) await scheduler.wait(LOOK_MS)
  const now = Date.now()
  if (credits.size >= CREDITS_MAX) credits.clear()
  credits.set(orgId, { ms: credit - (now - begun), on: now })
}
