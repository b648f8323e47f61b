// Acts of operators that outlive their organization.
import { AuditTable } from '../settings/audit-trail.tsx'
import { type OfOperator, OperatorPage } from './frame.tsx'

const PAGE_SIZE = 100

export function OperatorAudit({ operator }: OfOperator) {
  return (
    <OperatorPage
      title="Audit"
      way={{
        path: '/operator/audit',
        typescript: 'const { results } = await operator.ownAudit()',
        command: 'audit',
      }}
    >
      <p class="soft">What outlives its organization: deletions. All else stands in the audit of each organization.</p>
      <AuditTable of="the deployment" read={at => operator.ownAudit({ limit: PAGE_SIZE, ...at })} />
    </OperatorPage>
  )
}
