// One entity and its history, a load from the file to its taking back, and a waiting task, each as a person would do it.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../markdown.ts'
import { namedReferences } from './named-references.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

describe('one entity', () => {
  it('N46 shows what changed in words, and brings back a property, a version and the whole after deletion', async () => {
    const { entities } = service.client
    const object = {
      name: 'Linen shirt with a long collar',
      federatedId: 'HIST-1',
      typePath: 'item:apparel',
      roles: ['family'],
    }
    const { id } = await entities.create({ entityName: 'item', object })
    await entities.update({
      entityName: 'item',
      id,
      body: { name: 'Linen shirt with a short collar', fabric: 'Linen' },
    })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, `/console/entities/items/${id}`)
    expect(await page.locator('.versions ins', { hasText: 'short' }).innerText()).toBe('short')
    expect(await page.locator('.versions del', { hasText: 'long' }).innerText()).toBe('long')
    await page.locator('#v1').getByRole('button', { name: 'Restore this' }).click()
    await page.getByText('Restored version 1.').waitFor()
    expect(await entities.get({ entityName: 'item', id })).toMatchObject({ name: object.name, version: 3 })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Fabric').fill('Hemp')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect((await entities.get({ entityName: 'item', id })).fabric).toBe('Hemp')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: `Delete ${object.name}` }).click()
    await page.getByText('This was deleted').waitFor()
    await page.getByRole('button', { name: 'Bring back' }).click()
    await page.getByRole('heading', { name: 'Properties' }).waitFor()
    expect((await entities.get({ entityName: 'item', id })).fabric).toBe('Hemp')
    // The browser notes the 404 of the deleted entity.
    expect(complaints.filter(each => !each.includes('404'))).toEqual([])
    await context.close()
  })

  it('N46 brings back one property that it was made with, and leaves the others', async () => {
    const { entities } = service.client
    const object = { name: 'Made so', federatedId: 'HIST-2', typePath: 'item:apparel', roles: ['family'] }
    const { id } = await entities.create({ entityName: 'item', object })
    await entities.update({ entityName: 'item', id, body: { name: 'Changed', fabric: 'Linen' } })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/items/${id}?version=1`)
    await page.locator('#v1').getByRole('button', { name: 'Restore Name of this version' }).click()
    await page.getByText('Restored version 1.').waitFor()
    expect(await entities.get({ entityName: 'item', id })).toMatchObject({ name: object.name, fabric: 'Linen' })
    // What is deleted returns whole, or not at all.
    await entities.delete({ entityName: 'item', id })
    await service.open(page, `/console/entities/items/${id}?version=1`)
    await page.getByRole('button', { name: 'Bring back' }).waitFor()
    expect(await page.getByRole('button', { name: /of this version$/ }).count()).toBe(0)
    await context.close()
  })

  it('N47 tells how the same is done elsewhere, to copy', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items?order=name.asc')
    await page.getByRole('button', { name: 'How to do the same by API' }).click()
    await page.getByRole('button', { name: 'Copy the curl lines' }).click()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toContain(`curl '${service.origin}/api/items?limit=100&order=`)
    expect(copied).toContain("X-Api-Org: demo'")
    await page.getByText("entityName: 'item'").waitFor()
    await page.getByText('selvedge entities list item --order name --limit 100').waitFor()
    await context.close()
  })
})

describe('a load', () => {
  it('N46 is put together with a preview, checked, loaded and taken back', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    await page.setInputFiles(
      'input[aria-label="CSV file or Excel workbook"]',
      path.join(root, 'src/scripts/demo/styles.csv'),
    )
    await page.getByText('comma between cells, 8 columns').waitFor()
    await page.getByRole('button', { name: 'Confirm 3 suggestions' }).click()
    await page.getByRole('button', { name: 'Make a column' }).click()
    await page.getByLabel('Made column 1').fill('itemOptionFederatedId')
    await page.getByLabel('Default of column 1').fill('{Style}-{Color}')
    await page.getByRole('button', { name: 'Make a column' }).click()
    await page.getByLabel('Made column 2').fill('typePath')
    // Typed key by key: nothing changes under the cursor.
    await page.getByLabel('Default of column 2').pressSequentially('1.05')
    expect(await page.getByLabel('Default of column 2').inputValue()).toBe('1.05')
    await page.getByLabel('Default of column 2').fill('item:apparel')
    const preview = page.getByRole('region', { name: 'First rows after step 6' })
    await preview.getByText('LS-400-Ecru').waitFor()
    await page.getByRole('button', { name: '3 Left out' }).click()
    await page.getByRole('region', { name: 'First rows after step 3' }).waitFor()
    const bar = page.getByRole('progressbar', { name: 'Upload of styles.csv' })
    await page.route('**/api/files/*/content', async route => {
      await bar.waitFor()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Check without writing' }).click()
    await page.getByText('7 new, 1 changed').waitFor()
    expect(await bar.count()).toBe(0)
    const before = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { federatedId: 'LS-400' } },
    })
    expect(before.results).toEqual([])
    await page.getByRole('button', { name: 'Load 8 changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Load of styles.csv' }).waitFor()
    await page.locator('.state.done').waitFor()
    const after = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { federatedId: 'LS-400' } },
    })
    expect(after.results).toMatchObject([{ name: 'Linen Shirt', fabric: 'Linen' }])
    // A look ahead that fails has found out nothing.
    await page.route('**/api/revert-processes/*', async route => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, status: 'failed', failure: 'The history is away.' } })
    })
    await page.getByRole('button', { name: 'Take this load back' }).click()
    await page.getByRole('dialog').getByText('could not be found out: The history is away.').waitFor()
    expect(await page.getByRole('button', { name: 'Take it back' }).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.unroute('**/api/revert-processes/*')
    await page.getByRole('button', { name: 'Take this load back' }).click()
    await page.getByRole('dialog').getByText('7 entities will be deleted, 1 will have the old values again').waitFor()
    let begun = 0
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().endsWith('/revert')) begun++
    })
    await page.getByRole('button', { name: 'Take it back' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'Revert of Load of styles.csv' }).waitFor()
    await page.locator('.state.done').waitFor()
    await page.getByText('7 entities deleted').waitFor()
    expect(begun).toBe(1)
    const gone = await service.client.entities.list({
      entityName: 'item',
      queryParams: { criteria: { federatedId: 'LS-400' } },
    })
    expect(gone.results).toEqual([])
    expect(complaints).toEqual([])
    // What a revert has changed was changed by a load, as the history has it: the way from there ends at the revert.
    const address = page.url()
    await service.open(page, `/console/loads/${address.split('/').at(-1)}`)
    await page.getByRole('heading', { level: 1, name: 'Revert of Load of styles.csv' }).waitFor()
    expect(page.url()).toBe(address)
    await service.open(page, '/console/loads')
    const taken = page.getByRole('region', { name: 'Taken back' })
    await taken.getByText('only a look ahead').first().waitFor()
    await taken.getByRole('link', { name: 'Revert of Load of styles.csv' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Revert of Load of styles.csv' }).waitFor()
    await context.close()
  })

  it('N46 that is being taken back can be stopped; one that is not there is not asked for again and again', async () => {
    const { page, context } = await service.signedIn()
    const process = { id: 'r1', name: 'Revert of a load', dryRun: false, results: {}, issueCount: 0, issues: [] }
    const progress = { phase: 'writing', changesDone: 5, percent: 50 }
    let status = 'running'
    await page.route('**/api/revert-processes/r1**', route => {
      if (route.request().method() === 'POST') status = 'cancelled'
      return route.fulfill({ json: { ...process, progress, status } })
    })
    await service.open(page, '/console/reverts/r1')
    await page.getByRole('button', { name: 'Stop taking back' }).click()
    await page.locator('.state', { hasText: 'cancelled' }).waitFor()
    expect(await page.getByRole('button', { name: 'Stop taking back' }).count()).toBe(0)

    let asked = 0
    page.on('request', request => {
      if (request.url().includes('/api/loader-processes/AAAAAAAAAAAAAAAA')) asked++
    })
    await page.clock.install()
    await service.open(page, '/console/loads/AAAAAAAAAAAAAAAA')
    await page.getByRole('alert').waitFor()
    const before = asked
    await page.clock.runFor(10_000)
    await page.getByRole('link', { name: 'Loads' }).first().focus()
    expect(asked).toBe(before)
    await context.close()
  })
})

describe('work', () => {
  it('N46 a task that waits is completed with a note and an output, by keyboard', async () => {
    const task = await service.client.tasks.create({ name: 'Approve the sample' })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/work')
    const row = page.getByRole('row', { name: /Approve the sample/ })
    await row.getByRole('button', { name: 'Complete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Note').fill('Looks good')
    await page.getByLabel('Output').fill('{"approved": true}')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Approve the sample is complete.').waitFor()
    expect(await service.client.tasks.get({ id: task.id })).toMatchObject({
      status: 'complete',
      output: { approved: true },
    })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N47 what is folded out of a run stays open while the page is renewed', async () => {
    const { results } = await service.client.workflows.request({
      triggerKey: 'sample-approval',
      event: { style: 'X' },
    })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/runs/${results[0]?.id}`)
    await page.getByText('awaiting').first().waitFor()
    await page.getByRole('button', { name: 'Logs and output of note' }).click()
    await page.getByText('"style": "X"').last().waitFor()
    await page.waitForResponse(response => response.url().includes('/event-workflow-processes/'))
    await page.waitForResponse(response => response.url().includes('/event-workflow-processes/'))
    expect(await page.getByRole('button', { name: 'Logs and output of note' }).getAttribute('aria-expanded')).toBe(
      'true',
    )
    await context.close()
  })
})

describe('the palette', () => {
  it('N46 finds pages by keyboard alone and gives the focus back', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    await page.getByRole('option', { name: /Audit/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    expect(complaints.filter(each => !each.includes('/api/search'))).toEqual([])

    // Whoever types on and presses Enter before the answer is there gets nothing that was found for less.
    const found = { id: '1', name: 'Palette 77', typePath: 'item', entityType: 'item' }
    await page.route('**/api/search**', route => route.fulfill({ json: { results: [found], nextPageKey: null } }))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('palette')
    await page.getByRole('option', { name: /Palette 77/ }).waitFor()
    await page.route('**/api/search**', () => undefined)
    await page.keyboard.type(' 78')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('option').first().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/console/settings/audit')
    await context.close()
  })
})

namedReferences(service)
