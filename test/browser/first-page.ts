// The rows of a grid are asked for before it is drawn: by whoever presses the link, and by whoever stays on it at the keyboard.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Console } from './console.ts'

const colorsLink = (page: Page) => page.locator('nav.side').getByRole('link', { name: 'Colors' })

/** What is asked for of colors, as it is asked for. */
function askedOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/colors') asked.push(search)
  })
  return asked
}

export function firstPage(service: Console): void {
  describe('the rows of a grid', () => {
    const ways: [string, (page: Page) => Promise<() => Promise<void>>][] = [
      [
        'the link is still held down',
        async page => {
          await colorsLink(page).hover()
          await page.mouse.down()
          return () => page.mouse.up()
        },
      ],
      [
        'the link has the focus',
        async page => {
          // From the keyboard: else the focus is not one that is shown.
          await page.keyboard.press('Tab')
          await colorsLink(page).focus()
          return () => page.keyboard.press('Enter')
        },
      ],
    ]
    it.each(ways)('N46 are asked for while %s, and once', async (_, begin) => {
      const { page, context } = await service.signedIn()
      await service.open(page, '/console/')
      const asked = askedOf(page)
      await colorsLink(page).waitFor()
      // However slow the machine is, nobody stays for long.
      await page.evaluate('performance.now = () => 0')
      const open = await begin(page)
      await expect.poll(() => asked).toEqual(['?limit=100'])
      await open()
      await page.locator('[data-cell="0-0"]').waitFor()
      await page.waitForLoadState('networkidle')
      expect(asked).toEqual(['?limit=100'])
      await context.close()
    })

    it('N46 are asked for again where this tab has written something since', async () => {
      const { id } = await service.client.entities.create({ entityName: 'color', object: { name: 'Fading' } })
      const { page, context } = await service.signedIn()
      await service.open(page, `/console/entities/colors/${id}`)
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Faded')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      const asked = askedOf(page)
      await page.evaluate('performance.now = () => 0')
      await page.keyboard.press('Tab')
      await colorsLink(page).focus()
      await expect.poll(() => asked).toEqual(['?limit=100'])
      await page.keyboard.press('Control+z')
      await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Fading' }).waitFor()
      // Taking back reads what it writes over, as well.
      expect(asked.filter(each => each === '?limit=100')).toHaveLength(2)
      await context.close()
    })
  })
}
