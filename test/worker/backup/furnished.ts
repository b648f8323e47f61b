// An organization with everything it can have, and the addresses that show it.
import { KINDS } from '../../../src/kinds.ts'
import { type Json, newOrg, operator, type TestOrg } from '../api.ts'

export const SECRET = `whsec_${btoa('a secret of at least 24 bytes')}`

export async function furnished(): Promise<TestOrg> {
  const org = await newOrg()
  await org.make('/types', {
    typePath: 'item:shoe',
    label: 'Shoe',
    properties: [{ slug: 'size', propertyType: 'number', indexed: true }],
  })
  const items = (
    await org.post(
      '/items/batch',
      Array.from({ length: 8 }, (_, n) => ({ name: `Item ${n}`, federatedId: `f${n}` })),
    )
  ).body.results as Json[]
  const [first, second, third] = items
  await org.put(`/items/${first?.id}`, { name: 'changed "ä\u2028', price: 12.5, nested: { a: [1, null] } })
  await org.delete(`/items/${second?.id}`)
  const project = await org.make('/projects', { name: 'SS27' })
  await org.make('/project-items', { itemId: String(third?.id), projectId: project.id })
  const assortment = await org.make('/assortments', { name: 'Line', identifier: 'line' })
  await org.make('/assortment-items', { itemId: String(third?.id), assortmentId: assortment.id })
  await org.post(`/assortments/${assortment.id}/publish`, {})
  await org.make('/colors', { name: 'Navy', hex: '#000080' })
  await org.call('POST', '/files?fileName=a.txt', { body: 'the content', headers: { 'Content-Type': 'text/plain' } })
  await org.make('/files', { fileName: 'pending.csv' })
  await org.make('/event-workflows', { name: 'w', triggerKey: 'item|delete', isActive: true, paths: [] })
  await org.make('/webhooks', { name: 'in' })
  await org.make('/event-workflow-tasks', { name: 'waits', async: true, timeoutSeconds: 5000 })
  await operator('PUT', `/orgs/${org.slug}/endpoints/erp`, {
    url: 'https://erp.example.com/in',
    events: [],
    auth: { kind: 'hmac', secret: SECRET },
  })
  await operator('PUT', `/orgs/${org.slug}/quotas`, { types: 77 })
  await operator('PUT', `/orgs/${org.slug}`, { historyRetentionDays: 3000, historyArchiveDays: 2000 })
  return org
}

export const pathsOf = ({ slug }: TestOrg) => [
  ...KINDS.filter(({ path }) => path !== 'types').map(({ path }) => `/api/${path}?limit=3`),
  '/api/types',
  '/api/change-history?limit=3',
  '/api/change-history?limit=3&after=',
  '/api/auth/me',
  `/api/operator/orgs/${slug}/api-keys?limit=3`,
  `/api/operator/orgs/${slug}/endpoints`,
  `/api/operator/orgs/${slug}/quotas`,
]
