// A page of somebody else, in the browser of somebody who is signed in: it can neither read nor write with the session (N45).
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()
let elsewhere: Server
let foreign = ''

beforeAll(async () => {
  elsewhere = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Elsewhere</title><form method="post"></form>')
  })
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  // Another site than `localhost`, by name and by port.
  foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
})
afterAll(() => {
  elsewhere?.close()
})

it('N45 a page elsewhere gets nothing by the session, whatever it tries', async () => {
  const { page, context } = await service.signedIn()
  const own = await page.evaluate(`fetch('/api/items?limit=1').then(answer => answer.status)`)
  expect(own).toBe(200)
  await page.goto(foreign)
  const api = `${service.origin}/api`
  const tries = [
    `fetch('${api}/items?limit=1', { credentials: 'include' })`,
    `fetch('${api}/items?limit=1', { credentials: 'include', mode: 'no-cors' })`,
    `fetch('${api}/items', { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name": "Stolen"}' })`,
    `fetch('${api}/items', { method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{"name": "Stolen"}' })`,
    `fetch('${api}/auth/logout', { method: 'POST', credentials: 'include', mode: 'no-cors' })`,
  ]
  for (const attempt of tries) {
    const read = await page.evaluate(`${attempt}.then(answer => answer.status + ' ' + answer.type, () => 'refused')`)
    expect(['refused', '0 opaque', '401 cors']).toContain(read)
  }
  // A form leads the browser itself there.
  await page.evaluate(`(() => {
    const form = document.querySelector('form')
    form.action = '${api}/items'
    form.enctype = 'text/plain'
    form.innerHTML = '<input name=\\'{"name": "Stolen", "x": "\\' value=\\'"}\\'>'
    form.submit()
  })()`)
  await page.waitForURL(`${api}/items`)
  expect(await page.locator('body').innerText()).toContain('unauthorized')
  const { results } = await service.client.entities.list({
    entityName: 'item',
    queryParams: { criteria: { name: 'Stolen' } },
  })
  expect(results).toEqual([])
  // Still signed in: nobody was able to sign the person out.
  await page.goto(`${service.origin}/console/`)
  await page.locator('.frame').waitFor()
  await context.close()
}, 120_000)
