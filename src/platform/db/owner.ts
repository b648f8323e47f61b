// Whose database it is, and what that means while others are being served (N60).
import { commitsApart } from '../company/apart.ts'
import { afterOthers, holdsUpOthers, inCompany, noteTaken, takesMuch } from '../company/company.ts'
import { CARRIED_CHARACTERS } from './limits.ts'

/** D1 does not count what it takes to bring an answer here. */
function carriedMs(rows: readonly unknown[]): number {
  let length = 0
  for (const row of rows)
    for (const value of Object.values(row as object)) if (typeof value === 'string') length += value.length
  return length / CARRIED_CHARACTERS
}

export class Owner {
  readonly orgId: string
  /** Nobody waits for an answer, so that others go first, and the end of a move can be waited for. */
  readonly isPatient: boolean

  constructor(orgId: string, isPatient: boolean) {
    this.orgId = orgId
    this.isPatient = isPatient
  }

  get holdsUpOthers(): boolean {
    return this.isPatient ? inCompany(this.orgId) : holdsUpOthers(this.orgId)
  }

  inTurn<T>(call: () => Promise<T>): Promise<T> {
    return this.isPatient || takesMuch(this.orgId) ? afterOthers(this.orgId, call, this.isPatient) : call()
  }

  /** Work that nobody waits for goes in small steps anyway. */
  async commitsApart(entities: number): Promise<void> {
    if (!this.isPatient) await commitsApart(this.orgId, entities)
  }

  /** Work in the background lets others pass in any case; those who call meanwhile do not pay for it. */
  noteTaken(ms: number, rows: readonly unknown[]): void {
    if (!this.isPatient) noteTaken(this.orgId, ms + carriedMs(rows))
  }
}
