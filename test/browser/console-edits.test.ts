// What is typed is what is written, and nothing else: beside colleagues who write as well, in fields that are empty, in cells that are
// left by any way, and in lists that are longer than a page.
import { describe, expect, it } from 'vitest'
import { settled } from './console.ts'
import { cell, grid, newItem, save, type } from './grid-cells.ts'
import { gridTyping } from './grid-typing.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

const made = (name: string, more?: Record<string, unknown>) => service.client.entities.create(newItem(name, more))
const get = (id: string) => service.client.entities.get({ entityName: 'item', id })
const update = (id: string, body: Record<string, unknown>) =>
  service.client.entities.update({ entityName: 'item', id, body })

describe('what a colleague has written', () => {
  it('N46 since it was shown is what taking back brings back, of a cell and of a version', async () => {
    const item = await made('BESIDE-1', { fabric: 'Linen' })
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [item.id], 'federatedId,name,fabric'))
    await update(item.id, { fabric: 'Theirs' })
    await type(page, '0-2', 'Mine')
    await save(page).click()
    // Nothing is overwritten without a choice (N106).
    await page.getByText('Changed meanwhile to Theirs.').waitFor()
    expect((await get(item.id)).fabric).toBe('Theirs')
    await page.getByRole('button', { name: 'Keep all mine' }).click()
    await save(page).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    await page.locator('.toast', { hasText: 'Saved' }).getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back.').waitFor()
    expect((await get(item.id)).fabric).toBe('Theirs')

    await service.open(page, `/console/entities/items/${item.id}`)
    await update(item.id, { fabric: 'Theirs again' })
    await page.locator('#v1').getByRole('button', { name: 'Restore this' }).click()
    await page.locator('.toast', { hasText: 'Restored version 1.' }).getByRole('button', { name: 'Undo' }).click()
    await page.locator('dl.properties').getByText('Theirs again').waitFor()
    expect((await get(item.id)).fabric).toBe('Theirs again')
    await context.close()
  })

  it('N46 or deleted holds up no other cell, and what the service refuses may be sent again or typed back', async () => {
    const [one, two, three] = [await made('GONE-1'), await made('GONE-2'), await made('GONE-3')]
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [one.id, two.id, three.id], 'federatedId,name'))
    await type(page, '0-1', 'First')
    await type(page, '1-1', 'Second')
    await service.client.entities.delete({ entityName: 'item', id: one.id })
    await save(page).click()
    await page.getByText('1 entity was deleted meanwhile; what was typed there is dropped.').waitFor()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    expect((await get(two.id)).name).toBe('Second')

    // A key that another entity has; then it is free.
    await type(page, '1-0', 'GONE-3')
    await type(page, '2-1', 'Third')
    await save(page).click()
    await page.locator('td.wrong').waitFor()
    expect(await save(page).isEnabled()).toBe(true)
    await update(three.id, { federatedId: 'GONE-4' })
    await save(page).click()
    await page.getByText('Saved 2 cells in 2 entities.').waitFor()
    expect((await get(two.id)).federatedId).toBe('GONE-3')
    await type(page, '1-1', 'Something')
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor()
    await type(page, '1-1', 'Second')
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor({ state: 'detached' })
    await context.close()
  })
})

describe('a field that is built in and empty', () => {
  it('N46 is filled in by its kind, in the grid, in a form and in a filter', async () => {
    const color = await service.client.entities.create({
      entityName: 'color',
      object: { name: 'Built in', federatedId: 'BUILT-IN', typePath: 'color' },
    })
    const assortment = await service.client.entities.create({
      entityName: 'assortment',
      object: { name: 'Built in', federatedId: 'BUILT-IN', typePath: 'assortment' },
    })
    const workspaces = await service.client.entities.list({ entityName: 'workspace', queryParams: { limit: 1 } })
    const workspace = workspaces.results[0]?.id ?? ''
    const { page, context } = await service.signedIn()
    await service.open(page, grid('colors', [color.id], 'federatedId,name,red,green'))
    await page.locator('td.number[data-cell="0-2"]').waitFor()
    await type(page, '0-2', '181')
    await save(page).click()
    await page.getByText('Saved 1 cell in 1 entity.').waitFor()
    const read = () => service.client.entities.get({ entityName: 'color', id: color.id })
    expect((await read()).red).toBe(181)

    await service.open(page, `/console/entities/colors/${color.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Green', { exact: true }).fill('12')
    await save(page).click()
    await page.getByText('Saved.').waitFor()
    expect((await read()).green).toBe(12)

    await service.open(page, `/console/entities/assortments/${assortment.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Workspace', { exact: true }).fill(workspace)
    await page.getByLabel('Identifier', { exact: true }).fill('built-in')
    await save(page).click()
    await page.getByText('Saved.').waitFor()
    expect(await service.client.entities.get({ entityName: 'assortment', id: assortment.id })).toMatchObject({
      workspaceId: workspace,
      identifier: 'built-in',
    })

    await service.open(page, '/console/entities/colors')
    for (const [how, value] of [
      ['gt', '180'],
      ['lt', '182'],
    ] as const) {
      await page.getByRole('button', { name: '+ Filter' }).click()
      await page.getByLabel('Property').selectOption('red')
      await page.getByLabel('How', { exact: true }).selectOption(how)
      await page.getByLabel('Value').fill(value)
      await page.getByRole('button', { name: 'Add the filter' }).click()
    }
    await page.getByText('Red > 180 and < 182').waitFor()
    await page.getByText('Built in').first().waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await context.close()
  })
})

describe('the grid', () => {
  it('N46 keeps a cell that is left by marking others, says what of a paste has no place, and opens a row by keyboard', async () => {
    const [one, two] = [await made('MARK-1'), await made('MARK-2')]
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [one.id, two.id], 'federatedId,name,version'))
    await cell(page, '0-1').click()
    await page.keyboard.type('Red')
    await cell(page, '1-1').click({ modifiers: ['Shift'] })
    await page.getByText('1 cell in 1 entity', { exact: true }).waitFor()
    expect(await cell(page, '0-1').innerText()).toBe('Red')
    expect(await cell(page, '1-1').innerText()).toBe('MARK-2')
    expect(await page.locator('td.marked').count()).toBe(2)

    await page.evaluate("navigator.clipboard.writeText('a\\t7\\nb\\t8')")
    await cell(page, '1-1').focus()
    await page.keyboard.press('Control+v')
    // Over what is marked, from its first cell on.
    await page.getByText('2 cells did not fit').waitFor()
    expect(await cell(page, '0-1').innerText()).toBe('a')
    expect(await cell(page, '1-1').innerText()).toBe('b')

    await cell(page, '1-1').focus()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: 'MARK-2' }).waitFor()
    await context.close()
  })

  it('N46 reads a cell by the type of its row, where two types have a property of one name', async () => {
    const ids: string[] = []
    for (const [name, options] of [
      ['rows-shirt', ['S', 'M']],
      ['rows-shoe', ['40', '41']],
    ] as const) {
      const properties = [{ slug: 'rowSize', propertyType: 'choice', options }]
      const typePath = `item:${name}`
      await service.client.entities.create({ entityName: 'type', object: { typePath, label: name, properties } })
      ids.push((await made(name, { typePath })).id)
    }
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', ids, 'federatedId,rowSize'))
    await page.evaluate("navigator.clipboard.writeText('M\\n41')")
    await cell(page, '0-1').focus()
    await page.keyboard.press('Control+v')
    await save(page).click()
    await page.getByText('Saved 2 cells in 2 entities.').waitFor()
    expect(await Promise.all(ids.map(async id => (await get(id)).rowSize))).toEqual(['M', '41'])
    await context.close()
  })

  it('N46 tells what a bulk edit was refused for beside it, by name', async () => {
    const [one, two] = [await made('WHY-1'), await made('WHY-2')]
    const { page, context } = await service.signedIn()
    await service.open(page, grid('items', [one.id, two.id], 'federatedId,name'))
    await page.getByLabel('Select all rows').check()
    await page.getByRole('button', { name: 'Edit 2' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Property').selectOption('typePath')
    await dialog.getByLabel('New value').fill('color')
    await dialog.getByRole('button', { name: 'Change 2 entities' }).click()
    const told = dialog.getByRole('alert')
    await told.getByText('Nothing was changed').waitFor()
    await told.getByText(/^WHY-1: /).waitFor()
    await context.close()
  })
})

describe('what is longer than a page', () => {
  it('N46 stays as far as it was read when it is read again; a version far back is found', async () => {
    const names = Array.from({ length: 130 }, (_, at) => `LONG-${String(at).padStart(3, '0')}`)
    const { results } = await service.client.entities.createBatch({
      entityName: 'item',
      objects: names.map(name => newItem(name).object),
    })
    const first = results[0]?.id ?? ''
    for (let at = 2; at <= 105; at++) await update(first, { fabric: `Fabric ${at}` })
    const { page, context } = await service.signedIn()
    await service.open(page, '/console/entities/items?q=LONG&order=federatedId.asc')
    // The next page comes as the list is scrolled; only the rows that can be seen are drawn (N116).
    await page.locator('.grid-scroll').evaluate(box => box.scrollTo(0, 1e6))
    await expect.poll(() => page.locator('.grid').getAttribute('aria-rowcount')).toBe('131')
    expect(await page.locator('tbody tr:not(.gap)').count()).toBeLessThan(70)
    await page.locator('.grid-scroll').evaluate(box => box.scrollTo(0, 1e6))
    await page.locator('[data-cell="129-0"]').waitFor()
    await page.getByLabel('Select LONG-129').check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByRole('button', { name: 'Delete 1 entity' }).click()
    await page.getByText('Deleted 1 entity.').waitFor()
    await page.locator('[data-cell="129-0"]').waitFor({ state: 'detached' })
    await settled(page)
    expect(await page.locator('.grid').getAttribute('aria-rowcount')).toBe('130')

    await service.open(page, `/console/entities/items/${first}?version=2`)
    await page.locator('#v2.open').waitFor()
    await page.locator('#v2').getByRole('button', { name: 'Restore this' }).click()
    await page.getByText('Restored version 2.').waitFor()
    expect((await get(first)).fabric).toBe('Fabric 2')
    await context.close()
  })
})

gridTyping(service)
