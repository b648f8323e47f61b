// Every view of the console in three widths and both themes: no complaint of the browser, nothing from elsewhere, nothing cut off, no
// violation of accessibility (N44).
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../markdown.ts'
import { Console, show, type Visit, violations } from './console.ts'
import { type View, viewersOf, viewsOf } from './console-views.ts'

const START_MS = 320_000
const pictures = path.join(root, 'dist/pictures/console')
const WIDTHS = [360, 768, 1600] as const

let service: Console
let views: View[]

beforeAll(async () => {
  service = await Console.start()
  views = await viewsOf(service.client, service.operator)
  mkdirSync(pictures, { recursive: true })
}, START_MS)
afterAll(() => service?.stop())

/** A deployment without a bucket for backups, and an organization without an identity provider, say so by their status. */
const isKnown = (complaint: string) => /\/(backups\?|identity-provider)/.test(complaint)

async function look({ page, complaints }: Visit, view: View, picture: string): Promise<string[]> {
  await show(page, service.origin + view.address, view)
  await page.screenshot({ path: path.join(pictures, picture) })
  const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
  const cut = needed === there ? [] : [`${needed} px are needed, ${there} are there`]
  const told = complaints.splice(0).filter(each => !isKnown(each))
  const found = [...told, ...cut, ...(await violations(page))]
  return found.map(each => `${view.name}: ${each}`)
}

describe.each(['light', 'dark'] as const)('the console, %s', colorScheme => {
  it.each(WIDTHS)(
    'N44 is whole, quiet and accessible at %d px',
    async width => {
      const viewers = await viewersOf(service, { width, colorScheme })
      const found: string[] = []
      for (const view of views) {
        found.push(...(await look(viewers[view.by ?? 'member'], view, `${view.name}-${width}-${colorScheme}.png`)))
      }
      expect(found).toEqual([])
      for (const { context } of Object.values(viewers)) await context.close()
    },
    300_000,
  )
})
