// The operator's verbs over the quotas of an organization (N60).
import type { OpenContext } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import type { Quota } from '../../platform/db/quota.ts'
import { QUOTAS } from '../../platform/limits.ts'
import { OPERATOR } from '../audit/entry.ts'
import { recordAudit } from '../audit/service.ts'
import { organization } from '../organizations/service.ts'
import type { SetQuotas } from './contract.ts'
import { readQuotas, writeQuotas } from './quota-store.ts'

export async function quotas(context: OpenContext, slug: string) {
  const { id: orgId } = await organization(context, slug)
  const { set, used } = await readQuotas(databaseFor(context.env, orgId, null), orgId, context.now)
  const shown = (quota: Quota) => ({ limit: set[quota] ?? QUOTAS[quota], isUsual: !(quota in set), used: used[quota] })
  return Object.fromEntries((Object.keys(QUOTAS) as Quota[]).map(quota => [quota, shown(quota)]))
}

export async function setQuotas(context: OpenContext, slug: string, changed: SetQuotas) {
  const { id: orgId } = await organization(context, slug)
  await writeQuotas(databaseFor(context.env, orgId, null), orgId, changed)
  await recordAudit(context, { orgId, action: 'quotas_set', actor: OPERATOR, detail: changed })
  return quotas(context, slug)
}
