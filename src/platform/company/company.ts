// Who is being served here besides: one runtime serves many organizations, and a local one does so on a single thread. Work that
// nobody waits for, and an organization that takes much of the database, go in small steps in company, and let the others pass (N60).

import {
  COMPANY_CALLERS_SHARE_FOR_OTHERS,
  COMPANY_LASTS_MS,
  COMPANY_LOOK_MS,
  COMPANY_MAX_ACCOUNTS,
  COMPANY_MUCH_HALF_LIFE_MS,
  COMPANY_MUCH_MS,
  COMPANY_PASS_MAX_MS,
  COMPANY_SENT_BYTES,
  COMPANY_SERVED_MAX_MS,
  COMPANY_SHARE_FOR_OTHERS,
  COMPANY_TURN_MAX_LOOKS,
} from './limits.ts'

/** What may still be given to others, until when that is reckoned, and until when it has been taken. */
interface Credit {
  ms: number
  on: number
  paidOn: number
}

interface Account {
  /** Those who call have more to give than work in the background, which would else use it up. */
  calls: Credit
  background: Credit
  takenMs: number
  takenOn: number
  /** Of the last of its calls that go one after the other, while that is under way. */
  turn: Turn | undefined
}

interface Turn {
  begunOn: number
}

const accounts = new Map<string, Account>()

function accountOf(orgId: string): Account {
  const known = accounts.get(orgId)
  if (known) return known
  if (accounts.size >= COMPANY_MAX_ACCOUNTS) accounts.clear()
  const full = () => ({ ms: COMPANY_PASS_MAX_MS, on: Date.now(), paidOn: 0 })
  const account = { calls: full(), background: full(), takenMs: 0, takenOn: 0, turn: undefined }
  accounts.set(orgId, account)
  return account
}

const visits = new Set<Visit>()
/** Whoever has not said yet which organization it belongs to. */
export const NOBODY = ''
/** Who was here a moment ago, and when; who came last stands last. */
const lastHere = new Map<string, number>()

/** A request, from its first line to its answer. */
export class Visit {
  readonly begunOn = Date.now()
  orgId = NOBODY

  constructor() {
    forgetOld()
    visits.add(this)
  }

  isOf(orgId: string): void {
    this.orgId = orgId
    lastHere.delete(orgId)
    lastHere.set(orgId, this.begunOn)
  }

  end(): void {
    visits.delete(this)
  }
}

/** How long ago; a clock that was put back makes nothing last. */
export function ageOf(on: number): number {
  const age = Date.now() - on
  return age < 0 ? Number.POSITIVE_INFINITY : age
}

/** Who has gone away in the middle never says so, and whoever takes longer than that is not waited for. */
const isRecent = (on: number) => ageOf(on) < COMPANY_SERVED_MAX_MS

/** They stand in the order of their coming. */
function forgetOld(): void {
  for (const visit of visits) {
    if (isRecent(visit.begunOn)) break
    visits.delete(visit)
  }
  for (const [orgId, on] of lastHere) {
    if (ageOf(on) < COMPANY_LASTS_MS) break
    lastHere.delete(orgId)
  }
}

/** `thatTake`: less than this, lately. */
function areOthersServed(orgId: string, thatTake = Number.POSITIVE_INFINITY): boolean {
  forgetOld()
  return some(visits, visit => visit.orgId !== orgId && takenOf(accounts.get(visit.orgId)) < thatTake)
}

function some<T>(all: Iterable<T>, isIt: (one: T) => boolean): boolean {
  for (const one of all) if (isIt(one)) return true
  return false
}

/** Whether others than this organization are here, or were a moment ago. */
export function inCompany(orgId: string, thatTake = Number.POSITIVE_INFINITY): boolean {
  if (areOthersServed(orgId, thatTake)) return true
  return some(lastHere.keys(), other => other !== orgId && takenOf(accounts.get(other)) < thatTake)
}

/** The same by those alone who have said who they are: the next request of the organization itself may not have yet. */
export function isAmongOthers(orgId: string): boolean {
  const isOther = (other: string) => other !== orgId && other !== NOBODY
  forgetOld()
  return some(visits, visit => isOther(visit.orgId)) || some(lastHere.keys(), isOther)
}

/** What a call has taken of the time that all share. */
export function noteTaken(orgId: string, ms: number): void {
  const account = accountOf(orgId)
  account.takenMs = takenOf(account) + ms
  account.takenOn = Date.now()
}

/** What a caller has sent takes time to be read, which no clock here shows. */
export const noteSent = (orgId: string, bytes: number) => noteTaken(orgId, bytes / COMPANY_SENT_BYTES)

const takenOf = (account: Account | undefined) =>
  account ? account.takenMs * 0.5 ** (ageOf(account.takenOn) / COMPANY_MUCH_HALF_LIFE_MS) : 0

export const takesMuch = (orgId: string) => takenOf(accountOf(orgId)) > COMPANY_MUCH_MS

/** Others are here, and this organization keeps them waiting: what it reads goes in portions. */
export const holdsUpOthers = (orgId: string) => takesMuch(orgId) && inCompany(orgId)

/**
 * Lets in whoever waits at the door – a local runtime looks there only when it has nothing left to do, and work that goes from one
 * call to the next always has.
 */
const openTheDoor = () => scheduler.wait(0)

/** Whoever waits at the door is let in, and passes. */
export async function letPass(orgId: string, share = COMPANY_SHARE_FOR_OTHERS): Promise<void> {
  await openTheDoor()
  await waitWhile(accountOf(orgId).background, () => areOthersServed(orgId), share)
}

/** A look now and then, since no request can wait for what happens in another. */
async function waitWhile(credit: Credit, isBusy: () => boolean, share: number): Promise<void> {
  earn(credit, share)
  while (isBusy() && credit.ms > 0) {
    const looked = Date.now()
    await scheduler.wait(COMPANY_LOOK_MS)
    pay(credit, looked)
  }
  credit.on = Date.now()
}

function earn(credit: Credit, share: number): void {
  const now = Date.now()
  credit.ms = Math.min(COMPANY_PASS_MAX_MS, credit.ms + share * Math.max(0, now - credit.on))
  credit.on = now
}

/** Those who wait at the same time pay once. The clock may stand still, and yet nobody waits for ever; a look that took long is no long debt. */
function pay(credit: Credit, from: number): void {
  const now = Date.now()
  const paid = now > from ? Math.max(0, now - Math.max(from, credit.paidOn)) : COMPANY_LOOK_MS
  credit.ms = Math.max(-COMPANY_LOOK_MS, credit.ms - paid)
  credit.paidOn = now
}

/**
 * A call that lets others pass, before it and after; in company one after the other, so that whoever comes waits for a single one.
 * Work that nobody waits for comes to its end all the same, and hardly waits: it goes in small steps. Calls that take much could be
 * made for ever. They leave those who take less their share, also where just now nobody is there: whoever comes again and again would
 * else find such a call under way each time.
 */
export async function afterOthers<T>(orgId: string, call: () => Promise<T>, isPatient: boolean): Promise<T> {
  await openTheDoor()
  if (!inCompany(orgId)) return call()
  const account = accountOf(orgId)
  if (isPatient) {
    const isBusy = () => isUnderWay(account.turn) || areOthersServed(orgId)
    await waitWhile(account.background, isBusy, COMPANY_SHARE_FOR_OTHERS)
  } else {
    await ownTurn(account)
    await waitWhile(account.calls, () => inCompany(orgId, takenOf(account)), COMPANY_CALLERS_SHARE_FOR_OTHERS)
  }
  const turn = takeTurn(account)
  try {
    const answer = await call()
    await openTheDoor()
    return answer
  } finally {
    if (account.turn === turn) account.turn = undefined
  }
}

const isUnderWay = (turn: Turn | undefined) => turn !== undefined && isRecent(turn.begunOn)

function takeTurn(account: Account): Turn {
  account.turn = { begunOn: Date.now() }
  return account.turn
}

/** One passes at a time, also where those before take long; whoever has waited for as long as anybody is waited for goes on. */
async function ownTurn(account: Account): Promise<void> {
  let before = account.turn
  let looks = 0
  for (let waited = 0; isUnderWay(account.turn) && looks < COMPANY_TURN_MAX_LOOKS; waited += COMPANY_LOOK_MS) {
    if (waited >= COMPANY_SERVED_MAX_MS) break
    await scheduler.wait(COMPANY_LOOK_MS)
    looks = account.turn === before ? looks + 1 : 0
    before = account.turn
  }
  takeTurn(account)
}
