// The console's grid with many items (N46): from a click on the entity type until its first page is there, against the time that
// the API alone takes to answer the same page in the same browser. By mouse, whose button is held down as long as people hold it, and
// by keyboard, where a link has the focus before somebody presses Enter.

import { existsSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { layOutConsole } from '../../src/scripts/console/lay-out.ts'
import { Target } from './client.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime, workspace } from './runtime.ts'
import { seedItems } from './seed.ts'
import { median } from './side-by-side.ts'

const ROUNDS = 15
/** Shorter than nearly every click of a person. */
const PRESS_MS = 60
/** Between two keys that are not next to each other; nearly everybody takes longer. */
const ENTER_AFTER_MS = 200
const QUIET_MS = 700
const PERSON = { slug: 'grid', email: 'ann@grid.example', password: 'correct horse battery' }

export async function benchConsoleGrid(runtime: Runtime, items: number): Promise<Check[]> {
  await fill(runtime, items)
  const folder = path.join(workspace, 'console')
  await layOutConsole(folder)
  const server = await serve(folder, runtime.url)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } })
    await signIn(page, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const alone: number[] = []
    const [byMouse, byKey]: [Shown[], Shown[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await page.evaluate<number>(API_ALONE))
      byKey.push(await clicked(page, () => byKeyboard(page)))
      byMouse.push(await clicked(page, () => page.locator(LINK_PLACE).click({ delay: PRESS_MS })))
    }
    const api = median(alone)
    return [
      check(`console: first page of ${items} items against the API's, by mouse`, byMouse, api),
      check('console: the same by keyboard', byKey, api),
    ]
  } finally {
    await browser.close()
    server.close()
  }
}

/** By Tab from the link before it: only then it looks, and is, focused by the keyboard. */
async function byKeyboard(page: Page): Promise<void> {
  await page.evaluate(`{
    const links = [...document.querySelectorAll('nav.side a')]
    links[links.indexOf(${LINK}) - 1].focus()
  }`)
  await page.keyboard.press('Tab')
  await setTimeout(ENTER_AFTER_MS)
  await page.keyboard.press('Enter')
}

const LINK_PLACE = 'nav.side a[href="/console/entities/items"]'
const LINK = `document.querySelector('${LINK_PLACE}')`

/** As the grid asks for it, read to its end. */
const API_ALONE = `(async () => {
  const started = performance.now()
  await (await fetch('/api/items?limit=100')).json()
  return performance.now() - started
})()`

interface Shown {
  /** Until the grid's place in the window is full of rows, and until those below are there too. */
  window: number
  all: number
}

/** From the click on, as the page notices it. */
const GRID = `new Promise(resolve => {
  let started
  let window
  const look = () => {
    const rows = document.querySelectorAll('table.grid tbody tr').length
    const box = document.querySelector('.grid-scroll')
    if (box && box.scrollHeight > box.clientHeight) window ??= performance.now() - started
    if (rows === 100) resolve({ window, all: performance.now() - started })
    else requestAnimationFrame(look)
  }
  ${LINK}.addEventListener('click', () => {
    started = performance.now()
    look()
  }, { once: true })
})`

/** Goes to the grid and back to where it was. */
async function clicked(page: Page, click: () => Promise<unknown>): Promise<Shown> {
  const [shown] = await Promise.all([page.evaluate<Shown>(GRID), click()])
  await page.evaluate('document.querySelector(\'a[href="/console/"]\').click()')
  await page.locator('.tiles').waitFor()
  // What that page asks for itself would hold up whatever is measured next.
  await setTimeout(QUIET_MS)
  return shown
}

function check(name: string, shown: readonly Shown[], api: number): Check {
  const [window, all] = [median(shown.map(each => each.window)), median(shown.map(each => each.all))]
  const note = `${window.toFixed(0)} ms, all rows ${all.toFixed(0)} ms, the API alone ${api.toFixed(0)} ms`
  return { name, ratio: window / api, target: 2, isAtLeast: false, note }
}

async function fill(runtime: Runtime, items: number): Promise<void> {
  const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
  const { slug, ...admin } = PERSON
  const { id } = await operator.call<{ id: string }>({
    method: 'POST',
    path: '/api/operator/orgs',
    body: { slug, name: slug, admin },
  })
  operator.close()
  await seedItems(runtime, id, items)
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/console/`)
  await page.getByLabel('Organization').fill(PERSON.slug)
  await page.getByLabel('Email').fill(PERSON.email)
  await page.getByLabel('Password').fill(PERSON.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.tiles').waitFor()
  // The page's own piece is there from the first visit on.
  await clicked(page, () => page.evaluate(`${LINK}.click()`))
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** Console and API on one origin, as a deployed Worker serves them. */
function serve(folder: string, api: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://here')
    if (!pathname.startsWith('/api/')) {
      const file = path.join(folder, pathname)
      const isFile = pathname.startsWith('/console-files/') && existsSync(file)
      outgoing.setHeader('Content-Type', isFile ? (TYPES[path.extname(file)] ?? 'text/plain') : 'text/html')
      outgoing.end(readFileSync(isFile ? file : path.join(folder, 'console/index.html')))
      return
    }
    const { method, headers } = incoming
    const asked = request(api + (incoming.url ?? '/'), { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))
}
