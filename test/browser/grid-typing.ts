// What is typed into a cell: by its first letter or not, over several lines, and what comes of it when it is discarded.
import { describe, expect, it } from 'vitest'
import type { Console } from './console.ts'
import { cell, grid, newItem, save, type } from './grid-cells.ts'

export function gridTyping(service: Console): void {
  const make = (name: string, more?: Record<string, unknown>) => service.client.entities.create(newItem(name, more))
  const read = (id: string) => service.client.entities.get({ entityName: 'item', id })

  describe('a cell of the grid', () => {
    it('N46 begins with a letter where letters can be typed; choices and days are opened, and keep what was chosen', async () => {
      const options = ['Small', 'Medium', 'Large'].map(label => ({ value: label[0], label }))
      const properties = [
        { slug: 'letterSize', propertyType: 'choice', options },
        { slug: 'letterLined', propertyType: 'boolean' },
        { slug: 'letterDay', propertyType: 'date' },
      ]
      const typePath = 'item:letters'
      await service.client.entities.create({ entityName: 'type', object: { typePath, label: 'Letters', properties } })
      const item = await make('LETTERS-1', { typePath, letterSize: 'L' })
      const { page, context } = await service.signedIn()
      await service.open(page, grid('items', [item.id], 'federatedId,letterSize,letterLined,letterDay'))
      for (const [place, text] of [
        ['0-1', 'small'],
        ['0-2', 'yes'],
        ['0-3', '2'],
      ] as const) {
        await cell(page, place).focus()
        await page.keyboard.type(text)
        expect(await page.locator('td :is(input:not([type=checkbox]), select)').count(), place).toBe(0)
      }
      await cell(page, '0-1').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.type('small')
      await page.keyboard.press('Tab')
      await page.keyboard.press('F2')
      await page.keyboard.type('yes')
      await page.keyboard.press('Enter')
      await save(page).click()
      await page.getByText('Saved 2 cells in 1 entity.').waitFor()
      expect(await read(item.id)).toMatchObject({ letterSize: 'S', letterLined: true })
      await context.close()
    })

    it('N46 keeps the line breaks of a text that is edited, in a cell and in a form', async () => {
      const properties = [{ slug: 'washing', label: 'Washing', propertyType: 'string' }]
      const typePath = 'item:lines'
      await service.client.entities.create({ entityName: 'type', object: { typePath, label: 'Lines', properties } })
      const item = await make('LINES-1', { typePath, washing: 'one\ntwo' })
      const { page, context } = await service.signedIn()
      await service.open(page, grid('items', [item.id], 'federatedId,washing'))
      await cell(page, '0-1').focus()
      for (const key of ['Enter', 'Control+End', 'Shift+Enter', '3', 'Enter']) await page.keyboard.press(key)
      await save(page).click()
      await page.getByText('Saved 1 cell in 1 entity.').waitFor()
      expect((await read(item.id)).washing).toBe('one\ntwo\n3')

      await service.open(page, `/console/entities/items/${item.id}`)
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Washing', { exact: true }).press('Control+End')
      await page.keyboard.type('4')
      await save(page).click()
      await page.getByText('Saved.').waitFor()
      expect((await read(item.id)).washing).toBe('one\ntwo\n34')
      await context.close()
    })

    it('N46 brings back what was discarded, under what was typed since', async () => {
      const [one, two] = [await make('AWAY-1'), await make('AWAY-2')]
      const { page, context } = await service.signedIn()
      await service.open(page, grid('items', [one.id, two.id], 'federatedId,name'))
      await type(page, '0-1', 'First')
      await type(page, '1-1', 'Second')
      const discard = page.getByRole('button', { name: 'Discard' })
      await discard.click()
      await page.getByText('Discarded 2 cells.').waitFor()
      await cell(page, '0-1').focus()
      await page.keyboard.press('Control+z')
      await page.getByText('2 cells in 2 entities', { exact: true }).waitFor()
      // Further back, as before.
      await page.keyboard.press('Control+z')
      await page.getByText('1 cell in 1 entity', { exact: true }).waitFor()
      await discard.click()
      await type(page, '1-1', 'Third')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('2 cells in 2 entities', { exact: true }).waitFor()
      expect(await cell(page, '0-1').innerText()).toBe('First')
      expect(await cell(page, '1-1').innerText()).toBe('Third')
      await context.close()
    })
  })
}
