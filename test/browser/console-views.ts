// Every view of the console, with what it needs to show something; tests and pictures go through the same list.
import type { Page } from 'playwright-core'
import type { Client, Operator } from '../../src/clients/typescript/index.ts'
import type { Console, Look, Visit } from './console.ts'
import { operatorViewsOf } from './operator-views.ts'

/** Who looks at it; a member where nothing is said. */
export type Viewer = 'stranger' | 'member' | 'operator'

export interface View {
  name: string
  address: string
  by?: Viewer
  /** Answers that a local service cannot have, by what the path ends with. */
  stubs?: Record<string, unknown>
  /** What is done there before one looks. */
  act?: (page: Page) => Promise<void>
}

const FILE = [
  'Style,Style name,Color,Season,Wholesale price',
  'LS-400,Linen Shirt,Ecru,Sprng 2027,34',
  'LS-400,Linen Shirt,Sky,SS27,34',
  'RS-500,Rain Shell,Navy,FW27,112',
].join('\n')

/** A file whose columns and options wait for somebody to confirm them. */
async function chooseFile(page: Page): Promise<void> {
  const buffer = Buffer.from(`${FILE}\n`)
  await page
    .locator('input[aria-label="CSV file or Excel workbook"]')
    .setInputFiles({ name: 'styles.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Their type').selectOption('item:apparel')
  await page.getByRole('button', { name: 'Confirm 3 suggestions' }).click()
  await page.getByRole('heading', { name: 'Texts that are no option' }).waitFor()
  await page.getByRole('region', { name: 'First rows after step 6' }).waitFor()
}

/** Somebody of each kind, who go through the same views. */
export async function viewersOf(service: Console, look: Look): Promise<Record<Viewer, Visit>> {
  return {
    stranger: await service.visit(look),
    member: await service.signedIn(look),
    operator: await service.asOperator(look),
  }
}

/** Makes what the views show: a load and a look at taking it back, a run that waits, a change. */
export async function viewsOf(client: Client, operator: Operator): Promise<View[]> {
  const item = (await client.entities.list({ entityName: 'item', queryParams: { limit: 1 } })).results[0]
  const assortment = (await client.entities.list({ entityName: 'assortment', queryParams: { limit: 1 } })).results[0]
  if (!item || !assortment) throw new Error('the demo has no items')
  const name = String(item.name)
  await client.entities.update({
    entityName: 'item',
    id: item.id,
    body: { name: `${name}, with taped seams and a hood` },
  })
  await client.entities.update({ entityName: 'item', id: item.id, body: { name } })
  const content = 'itemFamilyFederatedId,name,season\nVIEW-1,Seen,SS27\nVIEW-2,Seen too,XX99\n'
  const load = await client.loads.run({ config: { loadType: ['ITEM'] }, file: { content, fileName: 'seen.csv' } })
  const { id: revertId } = await client.reverts.startForLoad({ id: load.id, dryRun: true })
  await client.reverts.wait({ id: revertId })
  const { results } = await client.workflows.request({ triggerKey: 'sample-approval', event: { style: 'TJ-100' } })
  const run = results[0]
  if (!run) throw new Error('the demo has no workflow')
  await client.tasks.create({ name: 'Look at the sample' })
  const view = { name: 'Spring', entityName: 'item', criteria: '{"season":"SS27"}', federatedId: 'item/Spring' }
  await client.entities.upsertBatch({ entityName: 'saved-view', objects: [view] })
  return [
    { name: 'sign-in', address: '/console/', by: 'stranger' },
    { name: 'invitation', address: '/console/invitation#token=none', by: 'stranger' },
    { name: 'password-reset', address: '/console/password-reset', by: 'stranger' },
    { name: 'operator', address: '/console/operator', by: 'stranger' },
    { name: 'home', address: '/console/' },
    { name: 'items', address: '/console/entities/items' },
    {
      name: 'items-filtered',
      address: '/console/entities/items?criteria=%7B%22season%22%3A%22SS27%22%7D&order=name.asc',
    },
    {
      name: 'items-views',
      address: '/console/entities/items',
      act: async page => {
        await page.getByRole('button', { name: 'Views' }).click()
        await page.getByText('For everybody').waitFor()
      },
    },
    {
      name: 'item-new',
      address: '/console/entities/items',
      act: async page => {
        await page.getByRole('button', { name: 'Add', exact: true }).click()
        await page.getByRole('dialog').getByLabel('Season').waitFor()
      },
    },
    { name: 'nothing', address: '/console/entities/custom-entities' },
    { name: 'colors', address: '/console/entities/colors' },
    { name: 'item', address: `/console/entities/items/${item.id}` },
    { name: 'item-used', address: `/console/entities/items/${item.id}?tab=used` },
    { name: 'assortment', address: `/console/entities/assortments/${assortment.id}` },
    { name: 'history', address: '/console/history' },
    { name: 'work', address: '/console/work' },
    { name: 'run', address: `/console/runs/${run.id}` },
    { name: 'loads', address: '/console/loads' },
    { name: 'new-load', address: '/console/loads/new' },
    { name: 'new-load-file', address: '/console/loads/new', act: chooseFile },
    { name: 'load', address: `/console/loads/${load.id}` },
    { name: 'revert', address: `/console/reverts/${revertId}` },
    { name: 'files', address: '/console/files' },
    { name: 'types', address: '/console/types' },
    { name: 'type', address: '/console/types/item:apparel' },
    { name: 'keys', address: '/console/settings/keys' },
    {
      name: 'new-key',
      address: '/console/settings/keys',
      act: async page => {
        await page.getByRole('button', { name: 'Make a key' }).click()
        await page.getByText('Only for entity types').click()
      },
    },
    { name: 'members', address: '/console/settings/members' },
    { name: 'sessions', address: '/console/settings/sessions' },
    { name: 'audit', address: '/console/settings/audit' },
    { name: 'nowhere', address: '/console/nowhere' },
    ...(await operatorViewsOf(operator)),
  ]
}
