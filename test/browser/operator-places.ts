// Where an organization is stored, and for how long its history stays in the database, as the operator sees it. The service under
// test has one database: the others, and a move to one of them, are answered in its place.
import { describe, expect, it } from 'vitest'
import type { Console } from './console.ts'

export function operatorPlaces(service: Console): void {
  describe('the place of an organization', () => {
    it('N57 is changed by a move that shows how far it is, and can be given up', async () => {
      await service.operator.createOrg({ slug: 'placed', name: 'Placed' })
      const { page, context } = await service.asOperator()
      const databases = [
        { name: 'DB', state: 'open' },
        { name: 'DB_EAST', state: 'open' },
        { name: 'DB_FULL', state: 'full' },
      ]
      await page.route('**/api/operator/databases', route => route.fulfill({ json: { results: databases } }))
      const begun = { from: 'DB', to: 'DB_EAST', startedOn: '2026-11-15T02:00:00.000Z', stoppedMs: 0, error: null }
      let move: Record<string, unknown> | undefined
      const asked: unknown[] = []
      await page.route('**/api/operator/orgs/placed/move', async route => {
        if (route.request().method() === 'POST') {
          asked.push(route.request().postDataJSON())
          move = { ...begun, state: 'moving', phase: 'copying', percent: 40 }
        }
        await (move
          ? route.fulfill({ status: 200, json: move })
          : route.fulfill({ status: 404, json: { status: 404, code: 'not_found', detail: 'No move.' } }))
      })
      await page.route('**/api/operator/orgs/placed/move/cancel', async route => {
        const error = 'Given up by the operator.'
        move = { ...begun, state: 'cancelled', phase: 'copying', percent: 40, endedOn: begun.startedOn, error }
        await route.fulfill({ status: 202, json: move })
      })
      await page.route('**/api/operator/orgs/placed', async route => {
        const response = await route.fetch()
        const org = await response.json()
        if (move?.state === 'complete') org.database = 'DB_EAST'
        await route.fulfill({ response, json: { ...org, moving: move?.state === 'moving' } })
      })
      const to = () => page.getByRole('dialog').getByLabel('To')
      const begin = async () => {
        await page.getByRole('button', { name: 'Move…' }).click()
        // Its own one is not among them, and a full one cannot be chosen.
        expect(await to().locator('option:not([disabled])').allTextContents()).toEqual(['', 'DB_EAST'])
        await to().selectOption('DB_EAST')
        const isRead = page.waitForResponse('**/api/operator/orgs/placed')
        await page.getByRole('button', { name: 'Move it' }).click()
        await page.getByText('DB → DB_EAST: copying, 40 %').waitFor()
        await isRead
      }
      await service.open(page, '/console/operator/organizations/placed')
      await begin()
      expect(asked).toEqual([{ database: 'DB_EAST' }])
      expect(await page.getByRole('button', { name: 'Move…' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Give it up' }).click()
      await page.getByText('Given up by the operator.').waitFor()

      await begin()
      move = { ...begun, state: 'complete', phase: 'done', percent: 100, endedOn: begun.startedOn, stoppedMs: 600 }
      await page.getByText('writes were refused for 0.6 s').waitFor()
      await page.locator('.spread', { hasText: 'Database' }).getByText('DB_EAST').waitFor()
      await page.getByRole('button', { name: 'Move…' }).click()
      expect(await to().locator('option:not([disabled])').allTextContents()).toEqual(['', 'DB'])
      await context.close()
    })

    it('N58 keeps its history in the database for as long as is set', async () => {
      await service.operator.createOrg({ slug: 'kept', name: 'Kept' })
      const { page, context } = await service.asOperator()
      await service.open(page, '/console/operator/organizations/kept')
      const days = page.getByLabel('History moves into files after days')
      const form = page.locator('form', { has: days })
      expect(await form.getByRole('button', { name: 'Set' }).isDisabled()).toBe(true)
      await days.fill('30')
      await page.keyboard.press('Enter')
      await page.getByText('Its history moves into files after 30 days.').waitFor()
      expect(await service.operator.getOrg({ slug: 'kept' })).toMatchObject({ historyArchiveDays: 30 })
      await days.fill('')
      // Enabled as soon as the page knows what is set.
      await form.getByRole('button', { name: 'Set' }).click()
      await page.getByText('Its history moves into files never.').waitFor()
      expect((await service.operator.getOrg({ slug: 'kept' })).historyArchiveDays ?? null).toBe(null)
      await context.close()
    })
  })
}
