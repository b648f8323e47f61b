// What the service tells others, as the operator sets it up and looks after it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/clients/typescript/index.ts'
import { type Console, press } from './console.ts'

/** A system outside that takes note of what it is told. */
async function listening() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(String(request.headers['webhook-id']))
    response.end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { heard, url, close: () => void server.close() }
}

export function operatorEndpoints(service: Console): void {
  describe('endpoints and deliveries', () => {
    it('N46 an endpoint is added, its secret rotated with an overlap, and what was delivered is sent again', async () => {
      const partner = await listening()
      onTestFinished(partner.close)
      const admin = { email: 'admin@told.example', password: 'correct horse battery' }
      await service.operator.createOrg({ slug: 'told', name: 'Told', admin })
      const { page, context, complaints } = await service.asOperator()
      await service.open(page, '/console/operator/organizations/told?tab=endpoints')
      await page.getByRole('button', { name: 'Add an endpoint' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await page.keyboard.type('erp')
      await page.keyboard.press('Tab')
      await page.keyboard.type(partner.url)
      await press(page, 'Make one')
      expect(await dialog.getByLabel('Secret').inputValue()).toMatch(/^whsec_.{44}$/)
      await dialog.getByLabel('Allowed for').selectOption('events')
      await press(page, 'Add the endpoint')
      await page.getByText('Added erp.').waitFor()
      await page.getByRole('cell', { name: 'events alone' }).waitFor()

      await page.getByRole('button', { name: 'Edit erp' }).click()
      await dialog.getByRole('button', { name: 'Make one' }).click()
      await dialog.getByLabel('Calls are signed with the one before').selectOption('for an hour')
      await dialog.getByRole('button', { name: 'Save the endpoint' }).click()
      await page.getByText('the secret before ends').waitFor()
      const { oldSecretUntil } = await service.operator.endpoints.get({ slug: 'told', name: 'erp' })
      expect(Date.parse(String(oldSecretUntil)) - Date.now()).toBeLessThan(3_600_001)

      const { key } = await service.operator.createKey({ slug: 'told', name: 'tests' })
      const client = connect({ ...service.service.operator, orgSlug: 'told', apiKey: key })
      await client.entities.create({ entityName: 'item', object: { name: 'Told' } })
      await expect.poll(() => partner.heard.length).toBe(1)
      await page.getByRole('button', { name: 'Deliveries of erp' }).click()
      const row = page.getByRole('row', { name: /item\|create delivered/ })
      await row.getByRole('button', { name: 'Look at item|create' }).click()
      await page.locator('pre.code', { hasText: 'item' }).waitFor()
      await page.keyboard.press('Escape')
      await row.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => partner.heard.length).toBe(2)
      expect(new Set(partner.heard).size).toBe(1)

      await service.open(page, '/console/operator/deliveries?status=delivered')
      await page.getByRole('link', { name: 'erp' }).click()
      await page.getByRole('heading', { name: 'Deliveries of erp' }).waitFor()
      await page.getByRole('button', { name: 'Remove erp' }).click()
      await page.getByRole('button', { name: 'Remove the endpoint' }).click()
      await page.getByText('No endpoints yet').waitFor()
      expect(complaints).toEqual([])
      await context.close()
    })
  })
}
