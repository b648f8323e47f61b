// A look at the reference in a real browser: every operation is there, nothing leaves the machine, a second visit is as good
// as the first, and no key outlives the page. Debian's chromium, driven by playwright-core.
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from '../clients/service/start.ts'
import { root } from '../markdown.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SLOW_MS = 60_000
const pictures = path.join(root, 'dist/pictures')
/** A library in the viewer tries whether code may be made from text, and goes on without: the policy forbids it. */
const HARMLESS = /unsafe-eval|script-src/

let service: Service
let browser: Browser
let origin = ''

beforeAll(async () => {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: install chromium (apt-get install chromium).`)
  service = await startService()
  origin = new URL(service.key.baseUrl).origin
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  mkdirSync(pictures, { recursive: true })
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

/** A page that notes what the browser complains of, and every request to elsewhere. */
async function watched(context: BrowserContext): Promise<[Page, string[]]> {
  const page = await context.newPage()
  page.setDefaultTimeout(SLOW_MS)
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !HARMLESS.test(message.text())) complaints.push(message.text())
  })
  page.on('request', request => {
    const { origin: target, protocol } = new URL(request.url())
    if (target !== origin && protocol !== 'data:' && protocol !== 'blob:') complaints.push(request.url())
  })
  return [page, complaints]
}

async function opened(page: Page): Promise<void> {
  await page.goto(`${origin}/docs`, { timeout: SLOW_MS })
  await page.getByText('Product data as typed entities').waitFor()
}

describe('the API reference', () => {
  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)(
    'is drawn at %d px, %s, and again on the second visit',
    async (width, colorScheme) => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const [page, complaints] = await watched(context)
      await opened(page)
      await page.screenshot({ path: path.join(pictures, `reference-${width}-${colorScheme}.png`), timeout: SLOW_MS })
      const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
      expect(needed).toBe(there)
      await opened(page)
      await page.reload({ timeout: SLOW_MS })
      await page.getByText('Product data as typed entities').waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
    240_000,
  )

  it('has a place for every operation, in the order that people need them', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const [page] = await watched(context)
    await opened(page)
    await page.getByRole('complementary').getByText('items', { exact: true }).first().click()
    const names = ['List items', 'Get one: item', 'Create: item', 'Update: item', 'Delete: item']
    const batches = ['Create or upsert many: items', 'Update many: items', 'Delete many: items']
    await page.getByRole('complementary').getByText('Delete many: items').first().waitFor()
    const shown = await page.getByRole('complementary').first().innerText()
    expect(await page.locator('#reference').innerText()).not.toContain('YOUR_SECRET_TOKEN')
    const places = [...names, ...batches].map(name => shown.indexOf(name))
    expect(places.every(place => place >= 0)).toBe(true)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    await page.screenshot({ path: path.join(pictures, 'reference-items.png'), timeout: SLOW_MS })
    await context.close()
  }, 240_000)

  it('keeps no key that somebody typed, and offers no field of the operator for it', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const [page] = await watched(context)
    await opened(page)
    const secret = 'app:a-key-that-nobody-may-find-again'
    const fields = page.locator('#reference input[placeholder]')
    await fields.first().fill(secret)
    expect(await fields.first().inputValue()).toBe(secret)
    expect(await fields.nth(1).inputValue()).toBe('')
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain(secret)
    const operatorField = page.getByText('X-Operator-Key')
    expect(await operatorField.count()).toBe(0)
    await page.reload({ timeout: SLOW_MS })
    await page.getByText('Product data as typed entities').waitFor()
    expect(await page.content()).not.toContain(secret)
    await context.close()
  }, 240_000)
})
