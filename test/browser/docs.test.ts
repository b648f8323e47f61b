// A look at /docs in a real browser: every endpoint is there, and nothing leaves the machine. Debian's chromium, driven by
// playwright-core; the service is started as people start it, on a port and with data of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const PORT = process.env.BROWSER_TEST_PORT ?? '9950'
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const START_MS = 120_000
const PICTURE = { x: 0, y: 0, width: 1280, height: 1600 }

const root = path.resolve(import.meta.dirname, '../..')
const origin = `http://localhost:${PORT}`
const data = mkdtempSync(path.join(tmpdir(), 'selvedge-browser-'))
const pictures = path.join(root, 'dist/pictures')
let service: ChildProcess
let browser: Browser

beforeAll(async () => {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: install chromium (apt-get install chromium).`)
  const script = path.join(root, 'src/scripts/dev.ts')
  service = spawn('node', [script, '--port', PORT, '--persist-to', data], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  })
  await vi.waitFor(async () => expect((await fetch(`${origin}/health`)).status).toBe(200), {
    timeout: START_MS,
    interval: 500,
  })
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}, START_MS)

afterAll(async () => {
  await browser?.close()
  // The service has children of its own: the whole group ends.
  if (service?.pid) process.kill(-service.pid, 'SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

it('/docs shows every endpoint without leaving the machine', async () => {
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const listed = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${at}`),
  )
  expect(listed.length).toBeGreaterThan(50)

  // The viewer draws only what is in view: a window as high as the whole page shows it all.
  const page = await browser.newPage({ viewport: { width: 1280, height: 20_000 } })
  const outside: string[] = []
  const complaints: string[] = []
  await page.route('**/*', route => {
    const { origin: target, protocol } = new URL(route.request().url())
    if (target === origin || protocol === 'data:' || protocol === 'blob:') return route.continue()
    outside.push(route.request().url())
    return route.abort()
  })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(`${origin}/docs`)
  await page.waitForSelector('.opblock-summary-path', { timeout: 30_000 })
  mkdirSync(pictures, { recursive: true })
  await expect.poll(() => page.locator('.opblock').count(), { timeout: 30_000 }).toBe(listed.length)
  const shown = await page.locator('.opblock-summary').evaluateAll(summaries =>
    summaries.map(summary => {
      const text = (part: string) => summary.querySelector(part)?.textContent?.replaceAll('\u200b', '').trim()
      return `${text('.opblock-summary-method')} ${text('.opblock-summary-path')}`
    }),
  )
  expect([...shown].sort()).toEqual([...listed].sort())
  await page.screenshot({ path: path.join(pictures, 'docs.png'), clip: PICTURE })
  await page.locator('.opblock').first().click()
  await page.waitForSelector('.opblock.is-open .opblock-body')
  await page.screenshot({ path: path.join(pictures, 'docs-open.png'), clip: PICTURE })
  expect(outside).toEqual([])
  expect(complaints).toEqual([])
}, 120_000)
