// Who comes first: an answer to an earlier question, cells that are on their way, views of another tab, a list that was read before.
import { describe, expect, it } from 'vitest'
import { cell, grid, newItem, save, type } from './grid-cells.ts'
import { hold } from './held.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const made = (name: string, more: Record<string, unknown> = {}) => service.client.entities.create(newItem(name, more))
const newType = (typePath: string, properties: readonly Record<string, unknown>[] = []) =>
  service.client.entities.create({ entityName: 'type', object: { typePath, label: typePath, properties } })

describe('a type', () => {
  it('N46 is not told to fit by an answer about what it was before', async () => {
    await newType('item:turn', [{ slug: 'turned', label: 'Turned', propertyType: 'string' }])
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/types/item:turn')
    const checking = await hold(page, 'POST', /\/types\/check$/)
    await page.getByLabel('Label of turned').fill('Once')
    await page.getByRole('button', { name: 'Would entities still fit?' }).click()
    await checking.begun
    await page.getByLabel('Label of turned').fill('Twice')
    const answer = page.waitForResponse(/\/types\/check$/)
    checking.release()
    await (await answer).finished()
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.getByText('would still fit').count()).toBe(0)
    await page.getByRole('button', { name: 'Would entities still fit?' }).click()
    await page.getByText('would still fit').waitFor()
    await context.close()
  })

  it('N46 that was just added is in the tree, whenever the tree was asked for', async () => {
    const before = await service.client.types.list({ queryParams: { limit: 1000 } })
    const { page, context } = await service.signedIn()
    const reading = await hold(page, 'GET', /\/api\/types\?/, route =>
      reading.count() === 1 ? route.fulfill({ json: before }) : route.continue(),
    )
    await page.goto(`${service.origin}/console/types`)
    await reading.begun
    await page.getByRole('button', { name: 'Describe a type' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type path').fill('item:late')
    const added = page.waitForResponse(each => each.request().method() === 'POST' && each.url().endsWith('/types'))
    await dialog.getByRole('button', { name: 'Add the type' }).click()
    await (await added).finished()
    reading.release()
    await page.getByText('Added item:late.').waitFor()
    await page.getByRole('link', { name: 'Types' }).first().click()
    await page.getByRole('link', { name: 'item:late', exact: true }).waitFor()
    await context.close()
  })
})

describe('cells', () => {
  it('N46 that are on their way cannot be discarded, also by whoever has left and comes back', async () => {
    const item = await made('TURN-1')
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [item.id], 'federatedId,name'))
    const saving = await hold(page, 'PUT', /\/items\/batch/)
    await type(page, '0-1', 'Sent')
    await save(page).click()
    await saving.begun
    const discard = page.getByRole('button', { name: 'Discard' })
    expect(await discard.isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByRole('button', { name: 'Go back' }).click()
    expect(await discard.isDisabled()).toBe(true)
    expect(await save(page).isDisabled()).toBe(true)
    saving.release()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    expect(saving.count()).toBe(1)
    await context.close()
  })

  it('N46 are shown and edited as what they hold: JSON as JSON, 0 and no as such where they lead to their entity', async () => {
    const typePath = 'item:turn-json'
    await newType(typePath, [
      { slug: 'turnJson', label: 'Turn JSON', propertyType: 'json' },
      { slug: 'turnCount', label: 'Turn count', propertyType: 'number' },
    ])
    const item = await made('TURN-2', { typePath, turnJson: ['1'], turnCount: 0 })
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [item.id], 'turnCount,turnJson'))
    expect(await cell(page, '0-0').locator('a').innerText()).toBe('0')
    await cell(page, '0-1').focus()
    await page.keyboard.press('Control+c')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('"[""1""]"')
    await page.keyboard.press('Enter')
    expect(await cell(page, '0-1').locator('textarea').inputValue()).toBe('["1"]')
    await page.keyboard.press('Escape')
    await cell(page, '0-0').locator('a').click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect(await page.getByLabel('Turn JSON', { exact: true }).inputValue()).toBe('["1"]')
    await context.close()
  })

  it('N52 that somebody else has changed since are not said to be taken back', async () => {
    const item = await made('TURN-3')
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [item.id], 'federatedId,name'))
    await type(page, '0-1', 'Mine')
    await save(page).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    await service.client.entities.update({ entityName: 'item', id: item.id, body: { name: 'Theirs' } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Nothing was taken back. 1 entity changed since and left alone.').waitFor()
    await context.close()
  })
})

describe('a list', () => {
  it('N46 of views for me has those of other tabs, too', async () => {
    const { page, context } = await service.signedIn()
    const other = await context.newPage()
    const pages = [page, other]
    for (const each of pages) await service.open(each, '/console/entities/items')
    for (const [at, each] of pages.entries()) {
      await each.getByRole('button', { name: 'Views' }).click()
      await each.getByLabel('Keep what is shown as').fill(`Of tab ${at}`)
      await each.getByRole('button', { name: 'Save for me' }).click()
      await each.getByText(`Saved the view Of tab ${at}`).waitFor()
    }
    await service.open(page, '/console/entities/items')
    await page.getByRole('button', { name: 'Views' }).click()
    for (const at of pages.keys()) await page.getByRole('button', { name: `Of tab ${at}`, exact: true }).waitFor()
    await context.close()
  })

  it('N46 of publishes keeps what was published while more of it was read', async () => {
    const { id } = await service.client.entities.create({ entityName: 'assortment', object: { name: 'Turns' } })
    for (let count = 0; count < 11; count++) await service.client.assortments.publish({ id })
    const { page, context } = await service.signedIn()
    await service.open(page, `/console/entities/assortments/${id}`)
    const list = page.getByRole('region', { name: 'Publishes' })
    const rows = list.getByText('added, ')
    await expect.poll(() => rows.count()).toBe(10)
    const reading = await hold(page, 'GET', /\/history\?.*nextPageKey/)
    await list.getByRole('button', { name: 'Show more' }).click()
    await reading.begun
    const again = page.waitForResponse(each => each.url().includes(`/assortments/${id}/history`))
    await list.getByRole('button', { name: 'Review and publish' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish/ })
      .click()
    await page.getByText('Published.').waitFor()
    await (await again).finished()
    reading.release()
    await expect.poll(() => rows.count()).toBe(12)
    await context.close()
  })
})

describe('once is once', () => {
  it('N46 a second click makes no second task', async () => {
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/work')
    const making = await hold(page, 'POST', /\/event-workflow-tasks$/)
    await page.getByRole('button', { name: 'Make a task that waits' }).dblclick()
    making.release()
    await page.getByText('Made a task that waits.').waitFor()
    expect(making.count()).toBe(1)
    await context.close()
  })
})
