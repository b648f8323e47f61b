// `npm run screenshots`: a picture of every view of the console, in three widths and both themes, in dist/pictures/console.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../markdown.ts'
import { Console, show } from './console.ts'
import { viewersOf, viewsOf } from './console-views.ts'

const pictures = path.join(root, 'dist/pictures/console')
mkdirSync(pictures, { recursive: true })

/** `npm run screenshots -- operator` takes those views alone whose names begin so. */
const wanted = process.argv[2] ?? ''

const service = await Console.start()
try {
  const views = (await viewsOf(service.client, service.operator)).filter(({ name }) => name.startsWith(wanted))
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1600]) {
      const viewers = await viewersOf(service, { width, colorScheme })
      for (const view of views) {
        const { page } = viewers[view.by ?? 'member']
        await show(page, service.origin + view.address, view)
        await page.screenshot({ path: path.join(pictures, `${view.name}-${width}-${colorScheme}.png`), fullPage: true })
      }
      for (const { context } of Object.values(viewers)) await context.close()
    }
  }
} finally {
  await service.stop()
}
console.log(`The pictures are in ${path.relative(root, pictures)}.`)
