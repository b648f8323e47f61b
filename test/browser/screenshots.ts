// `npm run screenshots`: a picture of every view of the console, in three widths and both themes, in dist/pictures/console; those whose names
// begin as given, or all. `npm run screenshots -- --tour` renews the small ones that the README shows.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../markdown.ts'
import { Console, show } from './console.ts'
import { type View, viewersOf, viewsOf } from './console-views.ts'

const flags = process.argv.slice(2)
const isTour = flags.includes('--tour')
const wanted = flags.filter(flag => !flag.startsWith('--'))

const TOUR = ['items', 'item', 'new-load-file', 'home']
const TOUR_SIZE = { width: 1200, height: 760 }
const TOUR_QUALITY = 0.75

const pictures = path.join(root, isTour ? 'src/clients/console/pictures' : 'dist/pictures/console')
mkdirSync(pictures, { recursive: true })

async function shown(page: Page, view: View): Promise<void> {
  await show(page, service.origin + view.address, view)
  await page.waitForLoadState('networkidle')
}

/** The browser makes it small by itself. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  await page.goto('about:blank')
  const data = await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', ${TOUR_QUALITY}).split(',')[1]
  })()`)
  return Buffer.from(data, 'base64')
}

async function tour(views: readonly View[]): Promise<void> {
  const { page } = await service.signedIn({ width: TOUR_SIZE.width, colorScheme: 'light' })
  await page.setViewportSize(TOUR_SIZE)
  for (const view of views.filter(({ name }) => TOUR.includes(name))) {
    await shown(page, view)
    const png = await page.screenshot()
    writeFileSync(path.join(pictures, `${view.name}.webp`), await webpOf(page, png))
  }
}

async function all(views: readonly View[]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1600]) {
      const viewers = await viewersOf(service, { width, colorScheme })
      for (const view of views) {
        const { page } = viewers[view.by ?? 'member']
        await shown(page, view)
        // What is fixed to the window stands where the window is.
        await page.evaluate('scrollTo(0, 0)')
        await page.screenshot({ path: path.join(pictures, `${view.name}-${width}-${colorScheme}.png`), fullPage: true })
      }
      for (const { context } of Object.values(viewers)) await context.close()
    }
  }
}

const service = new Console()
try {
  await service.start()
  const views = await viewsOf(service.client, service.operator)
  await (isTour
    ? tour(views)
    : all(views.filter(({ name }) => wanted.length === 0 || wanted.some(begin => name.startsWith(begin)))))
} finally {
  await service.stop()
}
console.log(`The pictures are in ${path.relative(root, pictures)}.`)
