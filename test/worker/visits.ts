// Requests of organizations, as the runtime sees them.
import { onTestFinished } from 'vitest'
import { inCompany, Visit } from '../../src/platform/company/company.ts'
import { eventually } from './eventually.ts'

/** Until it, or the test, ends. */
export function visitOf(orgId: string): Visit {
  const visit = new Visit()
  onTestFinished(() => visit.end())
  visit.isOf(orgId)
  return visit
}

/** When nobody else is being served, or was a moment ago. */
export const alone = (orgId: string) =>
  eventually(
    async () => inCompany(orgId),
    isInCompany => !isInCompany,
  )
