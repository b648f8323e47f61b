// The audit trail over HTTP, for admins and for the operator.
import { type Route, route } from '../../platform/http/operation.ts'
import { organization } from '../organizations/service.ts'
import * as endpoint from './contract.ts'
import { OPERATOR_TRAIL } from './entry.ts'
import { exportAudit, listAudit } from './service.ts'

export const auditRoutes: Route[] = [
  route(endpoint.getAudit, async (context, { query }) => ({
    body: await listAudit(context, context.org.id, query),
  })),
  route(endpoint.getOperatorAudit, async (context, { query }) => ({
    body: await listAudit(context, OPERATOR_TRAIL, query),
  })),
  route(endpoint.getOrgAudit, async (context, { params, query }) => {
    const { id } = await organization(context, params.slug ?? '')
    return { body: await listAudit(context, id, query) }
  }),
  route(endpoint.getAuditExport, (context, { query }) => exportAudit(context, context.org.id, query)),
  route(endpoint.getOperatorAuditExport, (context, { query }) => exportAudit(context, OPERATOR_TRAIL, query)),
  route(endpoint.getOrgAuditExport, async (context, { params, query }) => {
    const { id } = await organization(context, params.slug ?? '')
    return exportAudit(context, id, query)
  }),
]
