// A small organization with something of everything, by calls that every release takes.
import type { Call } from './release.ts'

type Shown = { id: string; status?: string }

/** What every later release must still answer, and may add to. */
export const READS = [
  '/items?order={"orderField":"createdOn","order":"asc"}',
  '/items?criteria={"federatedId":"S-1"}',
  '/items?relations=itemFamily&criteria={"optionName":"navy"}',
  '/colors',
  '/projects',
  '/workspaces',
  '/assortments',
  '/assortment-items?relations=item',
  '/custom-entities',
  '/size-range-templates',
  '/types/item:apparel',
  '/files',
  '/loader-processes',
  '/event-workflows',
  '/event-workflow-tasks',
  '/change-history?order={"orderField":"createdOn","order":"asc"}&limit=1000',
  '/change-history?after=',
  '/auth/me',
].map(where => encodeURI(where))

export async function fill(
  call: Call,
  operatorKey: string,
  pause: () => Promise<unknown>,
): Promise<Record<string, string>> {
  const operator = { 'X-Operator-Key': operatorKey }
  const admin = { email: 'ann@example.com', password: 'a long password of the upgrade' }
  await call('POST', '/operator/orgs', operator, { slug: 'upgrade', name: 'Upgrade', admin })
  const issued: { key: string } = await call('POST', '/operator/orgs/upgrade/api-keys', operator, {
    name: 'tests',
    tier: 'internal',
  })
  const key = { 'X-Api-Key': issued.key, 'X-Api-Org': 'upgrade' }
  const create = (where: string, body: unknown): Promise<Shown> => call('POST', where, key, body)

  const price = { slug: 'price', label: 'Price', propertyType: 'number' }
  const season = {
    slug: 'season',
    label: 'Season',
    propertyType: 'choice',
    options: [{ value: 'ss27', label: 'SS27' }],
  }
  await create('/types', { typePath: 'item', label: 'Item', properties: [price] })
  await create('/types', { typePath: 'item:apparel', label: 'Apparel', properties: [season] })
  const family = await create('/items', {
    name: 'Parka',
    typePath: 'item:apparel',
    federatedId: 'S-1',
    roles: ['family'],
    price: 90,
    season: 'ss27',
  })
  const option = await create('/items', {
    name: 'Navy',
    federatedId: 'S-1-navy',
    roles: ['option'],
    itemFamilyId: family.id,
    optionName: 'navy',
  })
  await call('PUT', `/items/${family.id}`, key, { price: 99.5, note: "It's warm\nand dry" })
  const gone = await create('/items', { name: 'Gone' })
  await call('DELETE', `/items/${gone.id}`, key)
  await create('/colors', { name: 'Navy', hex: '#000080', federatedId: 'NVY' })
  const project = await create('/projects', { name: 'Spring' })
  const workspace = await create('/workspaces', { name: 'Spring', identifier: 'spring', projectId: project.id })
  const assortment = await create('/assortments', { name: 'Core', identifier: 'core', workspaceId: workspace.id })
  await create('/assortment-items', { itemId: option.id, assortmentId: assortment.id })
  await create('/custom-entities', { name: 'Mill', typePath: 'custom-entity:mill', federatedId: 'M-1' })
  await create('/size-range-templates', { name: 'Alpha', sizes: ['S', 'M', 'L'] })
  await create('/event-workflows', { name: 'Draft', triggerKey: 'item|update', paths: [] })
  await create('/event-workflow-tasks', { name: 'Render', async: true, timeoutSeconds: 86_400 })
  const file = await create('/files?fileName=styles.csv', 'federatedId,name,hex\nRED,Red,#ff0000\nBLU,Blue,#0000ff\n')
  const load = await create('/loader-processes', { loadType: ['COLOR'], fileLocation: file.id, name: 'Colors' })
  let state: Shown = load
  while (state.status !== 'completed') {
    if (state.status === 'failed') throw new Error(JSON.stringify(state))
    await pause()
    state = await call('GET', `/loader-processes/${load.id}`, key)
  }
  return key
}
