// Every view of the console in three widths and both themes: no complaint of the browser, nothing from elsewhere, nothing cut off, no
// violation of accessibility (N44).
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../markdown.ts'
import { Console, settled, type Visit, violations } from './console.ts'
import { type View, viewsOf } from './console-views.ts'

const START_MS = 320_000
const pictures = path.join(root, 'dist/pictures/console')
const WIDTHS = [360, 768, 1600] as const

let service: Console
let views: View[]

beforeAll(async () => {
  service = await Console.start()
  views = await viewsOf(service.client)
  mkdirSync(pictures, { recursive: true })
}, START_MS)
afterAll(() => service?.stop())

async function look({ page, complaints }: Visit, view: View, picture: string): Promise<string[]> {
  // A fragment alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(service.origin + view.address)
  await settled(page)
  await view.act?.(page)
  await page.screenshot({ path: path.join(pictures, picture) })
  const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
  const cut = needed === there ? [] : [`${needed} px are needed, ${there} are there`]
  const found = [...complaints.splice(0), ...cut, ...(await violations(page))]
  return found.map(each => `${view.name}: ${each}`)
}

describe.each(['light', 'dark'] as const)('the console, %s', colorScheme => {
  it.each(WIDTHS)(
    'N44 is whole, quiet and accessible at %d px',
    async width => {
      const stranger = await service.visit({ width, colorScheme })
      const member = await service.signedIn({ width, colorScheme })
      const found: string[] = []
      for (const view of views) {
        const visit = view.isOpen ? stranger : member
        found.push(...(await look(visit, view, `${view.name}-${width}-${colorScheme}.png`)))
      }
      expect(found).toEqual([])
      await stranger.context.close()
      await member.context.close()
    },
    300_000,
  )
})
