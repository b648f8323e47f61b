// Whether everything on a page that can be clicked can be reached by the Tab key.
import type { Page } from 'playwright-core'

/** Numbers what must be reachable: what is seen and not switched off, inside a dialog where one is open; of a group of radio buttons one. */
const NUMBERED = `(() => {
  const place = document.querySelector('dialog:modal') ?? document.body
  const isSeen = each => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert]')
  const isOne = each => each.type !== 'radio' || each.checked
  const found = [...place.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(each => each.tabIndex >= 0 && !each.disabled && isSeen(each) && isOne(each))
  found.forEach((each, at) => { each.dataset.reach = String(at) })
  return found.map(each => each.outerHTML.slice(0, 120))
})()`

const REACHED = `document.activeElement?.dataset.reach`

/** Tabs that lead to nothing of the page: to the browser's own bar, or to a part that scrolls. */
const SPARE_TABS = 20

export async function unreachable(page: Page): Promise<string[]> {
  const wanted = await page.evaluate<string[]>(NUMBERED)
  const missing = new Map(wanted.map((html, at) => [String(at), html]))
  missing.delete(String(await page.evaluate(REACHED)))
  for (let presses = 0; missing.size > 0 && presses < wanted.length + SPARE_TABS; presses++) {
    await page.keyboard.press('Tab')
    missing.delete(String(await page.evaluate(REACHED)))
  }
  return [...missing.values()].map(html => `no Tab leads to ${html}`)
}
