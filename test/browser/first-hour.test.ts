// A first hour by somebody who reads nothing: from a fresh local start to a file that is loaded, corrected and taken back, and an
// answered task, by mouse and without a line of code. Then the most important views by keyboard alone.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settled } from './console.ts'
import { sharedConsole } from './shared-console.ts'

const ROWS = [
  'LS-400,Linen Shirt,Ecru,Sprng 2027,34',
  'LS-400,Linen Shirt,Sky,SS27,34',
  'RS-500,Rain Shell,Navy,FW27,112',
]
const csv = (rows: readonly string[]) =>
  Buffer.from(['Style,Style name,Color,Season,Wholesale price', ...rows, ''].join('\n'))

const service = sharedConsole()

async function chooseFile(page: Page, button: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await chooser).setFiles({ name: 'my styles.csv', mimeType: 'text/csv', buffer })
}

const itemNamed = async (federatedId: string) => {
  const { results } = await service.client.entities.list({
    entityName: 'item',
    queryParams: { criteria: { federatedId } },
  })
  return results[0]
}

describe('a first hour', () => {
  it('N46 leads from signing in to a file that is loaded, corrected and taken back, and to an answered task, by mouse', async () => {
    const { page, context, complaints } = await service.signedIn()
    await settled(page)
    await page.getByRole('link', { name: 'Load a file' }).first().click()

    await chooseFile(page, 'Choose a file', csv(ROWS.map(row => row.replace('112', 'dear'))))
    await page.getByText('comma between cells, 5 columns').waitFor()
    await page.getByLabel('Their type').selectOption('item:apparel')
    await page.getByRole('button', { name: 'Confirm 3 suggestions' }).click()
    await page.getByRole('button', { name: 'Make it? Confirm' }).click()
    await page.getByRole('button', { name: 'Spring 2027? Confirm' }).click()
    await page.getByRole('region', { name: 'First rows after step 6' }).getByText('LS-400-Ecru').waitFor()
    await page.getByRole('button', { name: 'Check without writing' }).click()
    await page.getByText('The check found 1 error').waitFor()
    const issue = page.getByRole('row', { name: /dear/ }).last()
    expect(await issue.locator('td').last().innerText()).toBe('4')
    expect(await itemNamed('LS-400')).toBeUndefined()

    await chooseFile(page, 'Choose another file', csv(ROWS))
    await page.getByRole('button', { name: 'Check without writing' }).click()
    await page.getByRole('button', { name: 'Load 5 changes' }).click()
    await page.locator('.state.done').waitFor()
    expect(await itemNamed('LS-400')).toMatchObject({ season: 'SS27', typePath: 'item:apparel' })
    expect(await itemNamed('LS-400-Ecru')).toMatchObject({ wholesalePrice: 34, optionName: 'Ecru' })

    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Items/ })
      .click()
    await settled(page)
    const row = page.getByRole('row', { name: /Rain Shell/ }).first()
    await row.getByRole('gridcell', { name: 'Rain Shell', exact: true }).dblclick()
    await page.keyboard.type('Rain Shell with a hood')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved 1 cell').waitFor()

    await page.getByRole('link', { name: 'Loads', exact: true }).click()
    await page.getByRole('link', { name: 'Load of my styles.csv' }).first().click()
    await page.getByRole('button', { name: 'Take this load back' }).click()
    await page.getByRole('dialog').getByText('1 will be left alone').waitFor()
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Revert of Load of my styles.csv' }).waitFor()
    await page.locator('.state.done').waitFor()
    await page.getByRole('region', { name: 'Left alone' }).getByText('Rain Shell with a hood').waitFor()
    expect(await itemNamed('LS-400')).toBeUndefined()
    expect((await itemNamed('RS-500'))?.name).toBe('Rain Shell with a hood')

    await page.getByRole('link', { name: 'Work', exact: true }).first().click()
    await page.getByRole('button', { name: 'Make a task that waits' }).click()
    const task = page.getByRole('row', { name: /Try it/ })
    await task.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('button', { name: 'Complete the task' }).click()
    await page.getByText('Try it is complete.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})

describe('by keyboard alone', () => {
  it('N46 Ctrl Z takes back unsaved cells, then what was saved, a bulk edit and a deletion', async () => {
    const { entities } = service.client
    const objects = ['UNDO-1', 'UNDO-2'].map(name => ({
      name,
      federatedId: name,
      typePath: 'item:apparel',
      fabric: 'Linen',
    }))
    const { results } = await entities.createBatch({ entityName: 'item', objects })
    const ids = results.map(({ id }) => id)
    const [one = '', two = ''] = ids
    const fabricOf = async (id: string) => (await entities.get({ entityName: 'item', id })).fabric
    const { page, context, complaints } = await service.signedIn()
    const criteria = encodeURIComponent(JSON.stringify({ id: ids }))
    await service.open(page, `/console/entities/items?criteria=${criteria}&columns=federatedId,name,fabric`)
    await page.locator('[data-cell="0-2"]').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Hemp')
    await page.keyboard.press('Enter')
    await page.getByText('1 cell in 1 entity').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('1 cell in 1 entity').waitFor({ state: 'detached' })

    await page.getByLabel('Select all rows').focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Edit 2' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Property').selectOption('fabric')
    await page.getByLabel('New value').fill('Wool')
    // Past the box that clears the property.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Saved 2 cells in 2 entities').waitFor()
    // Another person has the last word on one of them.
    await entities.update({ entityName: 'item', id: two, body: { fabric: 'Silk' } })
    await page.locator('[data-cell="0-0"]').focus()
    await page.keyboard.press('Control+z')
    await page.getByText('Taken back. 1 entity changed since and left alone.').waitFor()
    expect([await fabricOf(one), await fabricOf(two)]).toEqual(['Linen', 'Silk'])

    await page.getByRole('button', { name: 'Delete 2' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 entities' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Deleted 2 entities.').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Brought back 2 entities.').waitFor()
    expect([await fabricOf(one), await fabricOf(two)]).toEqual(['Linen', 'Silk'])
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 a view is saved for all, seen by another person, and exported as it is shown', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/entities/items?criteria=%7B%22season%22%3A%22FW27%22%7D&columns=name,season')
    await page.getByRole('button', { name: 'Views' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Keep what is shown as').focus()
    await page.keyboard.type('Fall')
    await page.getByRole('button', { name: 'Save for all' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved the view Fall for everybody.').waitFor()
    const other = await service.signedIn()
    await service.open(other.page, '/console/entities/items')
    await other.page.getByRole('button', { name: 'Views' }).focus()
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('button', { name: 'Fall', exact: true }).focus()
    await other.page.keyboard.press('Enter')
    await other.page.getByText('Season is Fall 2027').waitFor()
    await other.page.getByRole('button', { name: 'Export', exact: true }).focus()
    await other.page.keyboard.press('Enter')
    const download = other.page.waitForEvent('download')
    await other.page.getByRole('link', { name: 'JSON lines' }).focus()
    await other.page.keyboard.press('Enter')
    const lines: Buffer[] = []
    for await (const chunk of await (await download).createReadStream()) lines.push(chunk as Buffer)
    const seasons = Buffer.concat(lines)
      .toString()
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line) as Record<string, unknown>)
    expect(seasons.length).toBeGreaterThan(0)
    expect(
      seasons.every(
        (each: Record<string, unknown>) => each.season === 'FW27' && Object.keys(each).join() === 'id,name,season',
      ),
    ).toBe(true)
    expect([...complaints, ...other.complaints]).toEqual([])
    await context.close()
    await other.context.close()
  })

  it('N53 a new entity is refused by its form where the service would refuse it, and made where it takes it', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/entities/colors')
    await page.getByRole('button', { name: 'Add', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Brick')
    await page.getByLabel('Red', { exact: true }).fill('300')
    await page.getByLabel('Hex', { exact: true }).fill('no color')
    await page.keyboard.press('Enter')
    await page.getByText('The most is 255.').waitFor()
    await page.getByText('This is not in the form that is wanted.').waitFor()
    await page.getByLabel('Red', { exact: true }).fill('180')
    await page.getByLabel('Hex', { exact: true }).fill('#b44a3c')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Brick' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 an assortment shows its members, its composites and what each publish changed', async () => {
    const { entities } = service.client
    const europe = (
      await entities.list({ entityName: 'assortment', queryParams: { criteria: { identifier: 'europe' } } })
    ).results[0]
    const item = await entities.create({ entityName: 'item', object: { name: 'Just added', federatedId: 'PUB-1' } })
    const object = { itemId: item.id, assortmentId: europe?.id }
    await entities.create({ entityName: 'assortment-item', object })
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, `/console/entities/assortments/${europe?.id}`)
    await page.getByText('Part of').getByRole('link', { name: 'Global' }).waitFor()
    await page.getByRole('button', { name: 'Review and publish' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('Just added').waitFor()
    await page.getByRole('button', { name: 'Publish 1 change' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 added, 0 changed, 0 dropped').waitFor()
    await page.getByRole('button', { name: 'What changed' }).first().focus()
    await page.keyboard.press('Enter')
    const publishes = page.getByRole('region', { name: 'Publishes' })
    await publishes.getByRole('link', { name: 'Just added' }).waitFor()
    expect(await publishes.locator('ol > li').count()).toBe(2)
    await service.open(page, '/console/entities/workspaces')
    await page.getByRole('button', { name: 'Copy the identifier of Spring 2027' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('spring-2027')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 a configuration is stored for all under a name, and begins another load', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/loads/new')
    await page.getByLabel('Begin with a stored configuration').selectOption({ label: 'styles.yaml' })
    await page.getByText('Everything below is as styles.yaml says.').waitFor()
    const stored = page.getByLabel('or take one that is stored already')
    const name = await stored.locator('option', { hasText: 'styles.csv, 459 B' }).first().innerText()
    // Files of one name are told apart by when they came.
    expect(name).toMatch(/, 459 B, .*\d:\d\d/)
    await stored.selectOption({ label: name })
    await page.getByText('comma between cells, 8 columns').waitFor()
    expect(await page.getByLabel('The rows are').inputValue()).toBe('ITEM,PROJECT_ITEM,ASSORTMENT')
    expect(await page.getByLabel('“Europe” goes to').inputValue()).toBe('europe')
    await page.getByText('The configuration, to keep').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Save it for everybody as').fill('Styles of the week')
    await page.keyboard.press('Enter')
    await page.getByText('Saved Styles of the week.yaml for everybody.').waitFor()
    await service.open(page, '/console/loads/new')
    await page.getByLabel('Begin with a stored configuration').selectOption({ label: 'Styles of the week.yaml' })
    await page.getByText('Everything below is as Styles of the week.yaml says.').waitFor()
    expect(await page.getByLabel('The rows are').inputValue()).toBe('ITEM,PROJECT_ITEM,ASSORTMENT')
    expect(complaints).toEqual([])
    await context.close()
  })
})
