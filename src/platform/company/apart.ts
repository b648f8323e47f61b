// What cannot be divided – the parsing of a large body, a large commit – holds everybody who is served beside it. In company it comes so
// far apart that others meet it now and then only (N60).
import { Fault } from '../errors.ts'
import { ageOf, isAmongOthers } from './company.ts'
import {
  COMPANY_APART_BYTES,
  COMPANY_APART_FROM_BYTES,
  COMPANY_APART_FROM_ENTITIES,
  COMPANY_APART_LOOK_MS,
  COMPANY_APART_MAX_MS,
  COMPANY_APART_THOUSAND_MS,
  COMPANY_MAX_ACCOUNTS,
} from './limits.ts'

interface Rest {
  ms: number
  on: number
}

/** How long an organization still rests after what it has done, for bodies and for commits: the commit of a large body waits for none. */
const bodies = new Map<string, Rest>()
const commits = new Map<string, Rest>()

export async function bodiesApart(orgId: string, bytes: number): Promise<void> {
  if (bytes >= COMPANY_APART_FROM_BYTES) await apart(bodies, orgId, bytes / COMPANY_APART_BYTES)
}

export async function commitsApart(orgId: string, entities: number): Promise<void> {
  if (entities >= COMPANY_APART_FROM_ENTITIES)
    await apart(commits, orgId, (entities * COMPANY_APART_THOUSAND_MS) / 1000)
}

/** Those who wait at the same time wait one after the other; so many that they fill the memory are not let in. */
async function apart(rests: Map<string, Rest>, orgId: string, ms: number): Promise<void> {
  if (!isAmongOthers(orgId)) return
  const { ms: before, on } = rests.get(orgId) ?? { ms: 0, on: 0 }
  const left = Math.max(0, before - ageOf(on))
  if (left > COMPANY_APART_MAX_MS) {
    throw new Fault('rate_limited', 'Too many large requests at once. Send one after the other, or smaller ones.', {
      headers: { 'Retry-After': String(Math.ceil((left - COMPANY_APART_MAX_MS) / 1000)) },
    })
  }
  if (rests.size >= COMPANY_MAX_ACCOUNTS) rests.clear()
  // Whoever sends one after the other waits, and is never refused.
  rests.set(orgId, { ms: left + Math.min(ms, COMPANY_APART_MAX_MS), on: Date.now() })
  for (let waited = 0; waited < left && isAmongOthers(orgId); waited += COMPANY_APART_LOOK_MS) {
    await scheduler.wait(COMPANY_APART_LOOK_MS)
  }
  // Nobody is owed a rest any more.
  if (!isAmongOthers(orgId)) rests.delete(orgId)
}
