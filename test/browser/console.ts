// The console in a real browser: a page that notes every complaint, and somebody who signs in.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { connect } from '../../src/clients/typescript/index.ts'
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
  readonly service: Service
  readonly browser: Browser
  readonly origin: string

  private constructor(service: Service, browser: Browser) {
    this.service = service
    this.browser = browser
    this.origin = new URL(service.key.baseUrl).origin
  }

  static async start(): Promise<Console> {
    if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}: install chromium (apt-get install chromium).`)
    const service = await startService()
    return new Console(service, await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }))
  }

  async stop(): Promise<void> {
    await this.browser.close()
    await this.service.stop()
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

  async open(page: Page, address: string): Promise<void> {
    await page.goto(this.origin + address)
    await settled(page)
  }
}

/** Nothing is being loaded any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeletons').first().waitFor({ state: 'detached' })
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
