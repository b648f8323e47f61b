// The operator's views, with organizations, an endpoint and a key that they show.
import type { Operator } from '../../src/clients/typescript/index.ts'
import type { View } from './console-views.ts'

const NIGHT = '2026-11-15T02:00'
const HOME = '/console/operator'

const backupOf = (slug: string, at: number) => ({
  id: `20261115T02000${at}000Z-backup`,
  organizationId: `AAAAAAAAAAAAAAA${at}`,
  slug,
  bytes: 35_600_000 >> (4 * at),
  begunOn: `${NIGHT}:0${at}.000Z`,
  completedOn: `${NIGHT}:${26 + at}.000Z`,
})

const letterOf = (id: string, kind: string, organization: string | null) => ({
  id,
  organization,
  kind,
  subjectId: `${id}AAAAAAAAAAAAAA`,
  createdOn: '2026-11-14T09:30:00.000Z',
})

export async function operatorViewsOf(operator: Operator): Promise<View[]> {
  const slug = 'northwind'
  const admin = { email: 'ann@northwind.example', password: 'correct horse battery' }
  await operator.createOrg({ slug, name: 'Northwind Traders', tier: 'high', admin })
  await operator.createOrg({ slug: 'old-mill', name: 'Old Mill', admin: { ...admin, email: 'ben@mill.example' } })
  await operator.updateOrg({ slug: 'old-mill', change: { suspended: true, historyRetentionDays: 365 } })
  await operator.setQuotas({ slug, quotas: { entities: 100, types: 0 } })
  const addresses = ['192.0.2.0/24', '2001:db8::/32']
  await operator.createKey({ slug, name: 'Nightly sync', scope: 'read', entityTypes: ['item', 'color'], addresses })
  await operator.createKey({ slug, name: 'ERP', tier: 'internal' })
  await operator.createToken({ slug, name: 'Callback of the ERP' })
  const secret = `whsec_${'A'.repeat(43)}=`
  await operator.endpoints.set({
    slug,
    name: 'erp',
    endpoint: {
      url: 'https://erp.northwind.example/selvedge/events',
      events: ['item|*', 'assortment|publish'],
      auth: { kind: 'hmac', secret },
    },
  })
  await operator.endpoints.set({
    slug,
    name: 'shop',
    endpoint: {
      url: 'https://shop.northwind.example/in',
      allowedFor: 'workflows',
      auth: { kind: 'header', name: 'X-Shop-Key', value: 'a key' },
    },
  })
  const delivery = (id: string, status: string) => ({
    id: `${id}AAAAAAAAAAAAAA`,
    endpointName: 'erp',
    triggerKey: 'item|update',
    status,
    attempts: status === 'failed' ? 8 : 1,
    nextAttemptOn: null,
    responseStatus: status === 'failed' ? 503 : 200,
    error: status === 'failed' ? 'The endpoint answered 503.' : null,
    payload: { id },
    createdOn: '2026-11-14T09:30:00.000Z',
    endedOn: '2026-11-14T12:30:00.000Z',
  })
  const deliveries = {
    'endpoints/erp/deliveries': {
      results: [delivery('EV', 'failed'), delivery('EW', 'failed'), delivery('EX', 'delivered')],
      nextPageKey: null,
    },
  }
  const status = await operator.status()
  const letters = [letterOf('DL', 'load', slug), letterOf('DM', 'delivery', 'old-mill'), letterOf('DN', 'task', null)]
  const backups = { results: [backupOf('demo', 0), backupOf(slug, 1), backupOf('old-mill', 2)], nextPageKey: null }
  const org = `${HOME}/organizations/${slug}`
  const views: View[] = [
    { name: 'operator-status', address: HOME },
    {
      name: 'operator-trouble',
      address: HOME,
      stubs: {
        status: {
          ...status,
          status: 'degraded',
          missingBindings: ['SEARCH'],
          checks: [
            { name: 'database', isOk: true, ms: 12 },
            { name: 'files', isOk: false, ms: 5000 },
          ],
          loads: { waiting: 3, oldestStepOn: '2026-11-14T09:30:00.000Z' },
          deliveries: { ...status.deliveries, delivered: 12_480, pending: 4, failed: 2 },
          deadLetters: { total: 3, oldestOn: '2026-11-14T09:30:00.000Z' },
        },
        'dead-letters': { results: letters, nextPageKey: null },
        secrets: {
          results: [
            { key: 'v2', isInForce: true, secrets: 3 },
            { key: 'v1', isInForce: false, secrets: 9 },
          ],
        },
      },
    },
    { name: 'operator-organizations', address: `${HOME}/organizations` },
    { name: 'operator-organization', address: org },
    { name: 'operator-quotas', address: `${org}?tab=quotas` },
    { name: 'operator-keys', address: `${org}?tab=keys` },
    { name: 'operator-endpoints', address: `${org}?tab=endpoints&endpoint=erp`, stubs: deliveries },
    {
      name: 'operator-endpoint',
      address: `${org}?tab=endpoints`,
      act: async page => {
        await page.getByRole('button', { name: 'Edit erp' }).click()
        await page.getByRole('button', { name: 'Make one' }).click()
      },
    },
    { name: 'operator-sign-in', address: `${org}?tab=sign-in` },
    { name: 'operator-org-audit', address: `${org}?tab=audit` },
    { name: 'operator-deliveries', address: `${HOME}/deliveries`, stubs: deliveries },
    { name: 'operator-no-backups', address: `${HOME}/backups` },
    { name: 'operator-backups', address: `${HOME}/backups`, stubs: { backups } },
    { name: 'operator-audit', address: `${HOME}/audit` },
  ]
  return views.map(view => ({ ...view, by: 'operator' }))
}
