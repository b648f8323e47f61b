// Cells of the console's grid, as a person finds them and types into them.
import type { Page } from 'playwright-core'

export const newItem = (name: string, more: Record<string, unknown> = {}) => ({
  entityName: 'item',
  object: { name, federatedId: name, typePath: 'item:apparel', roles: ['family'], ...more },
})

export const grid = (path: string, ids: readonly string[], columns: string) =>
  `/console/entities/${path}?order=federatedId.asc&columns=${columns}&criteria=${encodeURIComponent(JSON.stringify({ id: ids }))}`
export const cell = (page: Page, place: string) => page.locator(`[data-cell="${place}"]`)
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

export async function type(page: Page, place: string, text: string): Promise<void> {
  // Beside a link that may be in it.
  await cell(page, place).click({ position: { x: 2, y: 2 } })
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}
