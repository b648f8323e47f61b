// The guides in a real browser, in all widths and both themes: nothing is cut off, nothing leaves the machine, every link of
// ours leads somewhere.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES } from '../../src/scripts/guides/contents.ts'
import { ERROR_PAGES } from '../../src/scripts/guides/error-pages.ts'
import { type Service, startService } from '../clients/service/start.ts'
import { root } from '../markdown.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const WIDTHS = [360, 768, 1600]
const pictures = path.join(root, 'dist/pictures')

let service: Service
let browser: Browser
let origin = ''

beforeAll(async () => {
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
async function watched(options: { width: number; colorScheme: 'light' | 'dark' }): Promise<[Page, string[]]> {
  const { width, colorScheme } = options
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  const complaints: string[] = []
  page.on('console', message => complaints.push(message.text()))
  page.on('request', request => {
    if (new URL(request.url()).origin !== origin) complaints.push(request.url())
  })
  return [page, complaints]
}

describe.each(['light', 'dark'] as const)('the guides, %s', colorScheme => {
  it.each(WIDTHS)(
    'fit into %d px and load nothing from elsewhere',
    async width => {
      const [page, complaints] = await watched({ width, colorScheme })
      for (const { name } of GUIDES) {
        await page.goto(`${origin}/docs/${name}`)
        const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
        expect(needed, name).toBe(there)
        await page.screenshot({ path: path.join(pictures, `${name}-${width}-${colorScheme}.png`) })
      }
      expect(complaints).toEqual([])
      await page.close()
    },
    120_000,
  )
})

it('lead to each other, to their headings and to the reference', async () => {
  const [page] = await watched({ width: 1600, colorScheme: 'light' })
  const known = new Map<string, string[]>()
  const links: string[] = []
  for (const { name } of [...GUIDES, ...ERROR_PAGES]) {
    await page.goto(`${origin}/docs/${name}`)
    known.set(`/docs/${name}`, await page.$$eval('[id]', found => found.map(element => element.id)))
    links.push(...(await page.$$eval('a', found => found.map(link => (link as unknown as { href: string }).href))))
  }
  const own = [...new Set(links)].map(link => new URL(link)).filter(link => link.origin === origin)
  expect(own.length).toBeGreaterThan(GUIDES.length)
  const lost = own.filter(({ pathname, hash }) => {
    const ids = known.get(pathname)
    return pathname !== '/docs' && !pathname.endsWith('.md') && (!ids || (hash !== '' && !ids.includes(hash.slice(1))))
  })
  expect(lost.map(link => link.href)).toEqual([])
  expect((await page.goto(`${origin}/docs`))?.status()).toBe(200)
}, 180_000)

it('N115 the search finds a section by words, and the arrow keys and Enter lead to it', async () => {
  const [page, complaints] = await watched({ width: 360, colorScheme: 'light' })
  await page.goto(`${origin}/docs/types`)
  await page.keyboard.press('/')
  await page.keyboard.type('quota exceeded')
  const first = page.locator('.found a').first()
  await first.waitFor()
  expect(await first.getAttribute('href')).toBe('/docs/errors/quota_exceeded')
  const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
  expect(needed).toBe(there)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors/quota_exceeded')
  await page.getByRole('searchbox').fill('zzzz')
  await page.getByText('No page has "zzzz".').waitFor()
  expect(complaints).toEqual([])
  await page.close()
}, 60_000)

it('N115 a copy button copies the code of its block without the button', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${origin}/docs/errors`)
  const figure = page.locator('figure').first()
  await figure.hover()
  await figure.getByRole('button', { name: 'Copy' }).click()
  await figure.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toMatch(/^curl "\$BASE_URL\/colors".+# 400$/s)
  await context.close()
}, 60_000)
