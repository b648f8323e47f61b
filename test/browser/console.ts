// The console in a real browser: a page that notes every complaint, and somebody who signs in.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { connect, Operator } from '../../src/clients/typescript/index.ts'
import { type Service, startService } from '../clients/service/start.ts'
import { root } from '../markdown.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SLOW_MS = 60_000
const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

export interface Visit {
  page: Page
  context: BrowserContext
  /** What the browser complained of, and requests to elsewhere. */
  complaints: string[]
}

export interface Look {
  width: number
  colorScheme: 'light' | 'dark'
}

export class Console {
  #started: { service: Service; browser: Browser } | undefined

  async start(): Promise<void> {
    if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: install chromium (apt-get install chromium).`)
    const service = await startService()
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    this.#started = { service, browser }
  }

  async stop(): Promise<void> {
    await this.#started?.browser.close()
    await this.#started?.service.stop()
  }

  get #running() {
    if (!this.#started) throw new Error('The console has not been started.')
    return this.#started
  }

  get service() {
    return this.#running.service
  }

  get browser() {
    return this.#running.browser
  }

  get origin() {
    return new URL(this.service.key.baseUrl).origin
  }

  get client() {
    return connect(this.service.key)
  }

  async visit(look: Look = { width: 1600, colorScheme: 'light' }): Promise<Visit> {
    const { width, colorScheme } = look
    const context = await this.browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    page.setDefaultTimeout(SLOW_MS)
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('request', request => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== this.origin && protocol !== 'data:' && protocol !== 'blob:') complaints.push(request.url())
    })
    return { page, context, complaints }
  }

  async signedIn(look?: Look): Promise<Visit> {
    const visit = await this.visit(look)
    await this.signIn(visit.page)
    return visit
  }

  async signIn(page: Page, address = '/console/'): Promise<void> {
    const { orgSlug, email, password } = this.service.admin
    await page.goto(this.origin + address)
    await page.getByLabel('Organization').fill(orgSlug)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.frame').waitFor()
  }

  /** The operator, with the key as the tab keeps it. */
  async asOperator(look?: Look): Promise<Visit> {
    const visit = await this.visit(look)
    const { operatorKey } = this.service.operator
    const key = JSON.stringify(operatorKey)
    // A blank page has no store.
    await visit.context.addInitScript(
      `if (location.origin !== 'null') sessionStorage.setItem('selvedge.operator', ${key})`,
    )
    return visit
  }

  get operator() {
    return new Operator(this.service.operator)
  }

  async open(page: Page, address: string): Promise<void> {
    await page.goto(this.origin + address)
    await settled(page)
  }
}

/** Goes to a view anew, with its stubs, and does what comes before the look. */
export async function show(page: Page, address: string, { stubs = {}, act }: Shows = {}): Promise<void> {
  // A fragment alone would not load the page again.
  await page.goto('about:blank')
  await page.unrouteAll()
  for (const [path, json] of Object.entries(stubs)) {
    const isIt = (url: URL) => url.pathname.endsWith(`/${path}`) && url.pathname.startsWith('/api/')
    await page.route(isIt, route => route.fulfill({ json }))
  }
  await page.goto(address)
  await settled(page)
  await act?.(page)
}

interface Shows {
  stubs?: Record<string, unknown> | undefined
  act?: ((page: Page) => Promise<void>) | undefined
}

/** Nothing is being loaded any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeletons').first().waitFor({ state: 'detached' })
}

const TABS_MOST = 200

/** Goes there by the Tab key alone: to what has this name, or a label of it. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < TABS_MOST; presses++) {
    await page.keyboard.press('Tab')
    const names = await page.evaluate<string[]>(
      `(() => {
        const at = document.activeElement
        const labels = [...(at.labels ?? [])].map(label => label.textContent.trim())
        return [at.getAttribute('aria-label') ?? '', at.textContent.trim(), ...labels]
      })()`,
    )
    if (names.includes(name)) return
  }
  throw new Error(`no Tab leads to ${name}`)
}

/** The same, and then Enter. */
export async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** Violations of accessibility rules, in words. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(result => result.violations)',
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  )
}
