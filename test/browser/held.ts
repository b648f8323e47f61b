// Answers that come late: what a test holds back goes on when it says so.
import type { Page, Route } from 'playwright-core'

export interface Held {
  /** When the first has been asked for. */
  begun: Promise<void>
  /** How many have been asked for. */
  count(): number
  release(): void
}

/** Requests of this method below `/api/`, by path and query. */
export async function hold(page: Page, method: string, path: RegExp, answer?: (route: Route) => Promise<void>) {
  let [begin, release] = [() => {}, () => {}]
  let count = 0
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(
    url => url.pathname.startsWith('/api/') && path.test(url.pathname + url.search),
    async route => {
      if (route.request().method() !== method) return route.fallback()
      count++
      begin()
      await released
      await (answer?.(route) ?? route.continue())
    },
  )
  return { begun, count: () => count, release: () => release() } satisfies Held
}

export const problem = (status: number, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code: 'unavailable', detail, requestId: 'req-1' }),
})

/** What the page asks whoever would leave, and how it is answered. */
export function answers(page: Page) {
  const asked: string[] = []
  const answered = { asked, doesLeave: false }
  // What a test does next must not meet a question that is still open.
  page.on('dialog', async dialog => {
    await (answered.doesLeave ? dialog.accept() : dialog.dismiss())
    asked.push(dialog.message())
  })
  return answered
}

/** As the browser's own ways do, past whatever dialog is open. */
export async function step(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${address}'); dispatchEvent(new PopStateEvent('popstate'))`)
}
