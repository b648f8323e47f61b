// `npm run screenshots`: a picture of every view of the console, in three widths and both themes, in dist/pictures/console.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { root } from '../markdown.ts'
import { Console, settled } from './console.ts'
import { viewsOf } from './console-views.ts'

const pictures = path.join(root, 'dist/pictures/console')
mkdirSync(pictures, { recursive: true })

const service = await Console.start()
try {
  const views = await viewsOf(service.client)
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 768, 1600]) {
      const stranger = await service.visit({ width, colorScheme })
      const member = await service.signedIn({ width, colorScheme })
      for (const { name, address, isOpen, act } of views) {
        const { page } = isOpen ? stranger : member
        await page.goto('about:blank')
        await page.goto(service.origin + address)
        await settled(page)
        await act?.(page)
        await page.screenshot({ path: path.join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      }
      await stranger.context.close()
      await member.context.close()
    }
  }
} finally {
  await service.stop()
}
console.log(`The pictures are in ${path.relative(root, pictures)}.`)
