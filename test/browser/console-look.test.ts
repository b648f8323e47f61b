// Every view of the console, in several widths and both themes: no complaint of the browser, nothing from elsewhere, nothing cut off, no
// violation of accessibility, nothing out of the keyboard's reach (N44). Each is opened once and then looked at in every way.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { show, type Visit, violations } from './console.ts'
import { type View, type Viewer, viewersOf, viewsOf } from './console-views.ts'
import { unreachable } from './keyboard.ts'
import { sharedConsole } from './shared-console.ts'

const LOOK_MS = 600_000
const HEIGHT = 900
const THEMES = ['light', 'dark'] as const
/** Every day a phone in the light and a large screen in the dark; `npm run test:look` looks in all widths and both themes. */
const ALL = THEMES.flatMap(colorScheme => [360, 768, 1600].map(width => ({ colorScheme, width })))
const WAYS =
  process.env.LOOK === 'all'
    ? ALL
    : ALL.filter(({ colorScheme, width }) => width === (colorScheme === 'light' ? 360 : 1600))
/** `VIEWS=type,items npm run test:look` looks at these alone. */
const WANTED = process.env.VIEWS?.split(',')

const service = sharedConsole()
let views: View[]
let viewers: Record<Viewer, Visit>

beforeAll(async () => {
  views = await viewsOf(service.client, service.operator)
  viewers = await viewersOf(service, { width: 360, colorScheme: 'light' })
})

/** A deployment without a bucket for backups, an organization without an identity provider or one that never moved: a status says so. */
const isKnown = (complaint: string) => /\/(backups\?|identity-provider|move$)/.test(complaint)

/** Ends what moves: colors that change with the theme take their time, and one that ends may start the next. */
const STILL = `(() => {
  for (let rounds = 0; rounds < 50; rounds++) {
    const moving = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime !== Infinity)
    if (moving.length === 0) return
    for (const each of moving) each.finish()
  }
})()`

async function cutOff(page: Page): Promise<string[]> {
  const [needed, there] = await page.$eval('html', html => [html.scrollWidth, html.clientWidth])
  return needed === there ? [] : [`${needed} px are needed, ${there} are there`]
}

async function look({ page, complaints }: Visit, view: View): Promise<string[]> {
  await show(page, service.origin + view.address, view)
  const found: string[] = []
  for (const { colorScheme, width } of WAYS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: HEIGHT })
    await page.evaluate(STILL)
    const seen = [...(await cutOff(page)), ...(await violations(page))]
    found.push(...seen.map(each => `${view.name}, ${colorScheme}, ${width} px: ${each}`))
  }
  const told = [...(await unreachable(page)), ...complaints.splice(0).filter(each => !isKnown(each))]
  return [...found, ...told.map(each => `${view.name}: ${each}`)]
}

describe('the console', () => {
  it.each<Viewer>(['stranger', 'member', 'operator'])(
    'N44 is whole, quiet and accessible for a %s',
    async viewer => {
      const found: string[] = []
      const own = views.filter(({ name, by = 'member' }) => by === viewer && (WANTED?.includes(name) ?? true))
      expect(WANTED ?? own).not.toEqual([])
      for (const view of own) found.push(...(await look(viewers[viewer], view)))
      expect(found).toEqual([])
    },
    LOOK_MS,
  )
})
