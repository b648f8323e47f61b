// How often a request goes to a primary that is far away (N59), and how long it takes then: the first call of an isolate, which has
// to look its key up, and later ones; with the bookmark of the caller's last answer, as the clients send it.
import http from 'node:http'
import { type Call, Target } from './client.ts'
import { FAR_MS } from './distances.ts'
import { itemOf } from './items.ts'
import type { Check } from './report.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'
import { setUp } from './service.ts'

interface Trips {
  far: number
  near: number
}

interface Answered {
  bookmark: string | undefined
  body: { id?: string }
  ms: number
}

/** Like `Target`, but with the headers of the answer. */
function send(url: string, { method, path, body }: Call, headers: Record<string, string>): Promise<Answered> {
  const content = body === undefined ? undefined : JSON.stringify(body)
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(url + path, { method, headers: { 'Content-Type': 'application/json', ...headers } })
    request.on('response', response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        if ((response.statusCode ?? 500) >= 300) return reject(new Error(`${method} ${path}: ${text}`))
        const mark = response.headers['x-d1-bookmark']
        resolve({
          bookmark: typeof mark === 'string' ? mark : undefined,
          body: JSON.parse(text) as Answered['body'],
          ms: performance.now() - started,
        })
      })
    })
    request.on('error', reject)
    request.end(content)
  })
}

/** What each may cost: trips to the primary. */
const CASES = { get: 0, list: 0, 'change history': 0, create: 1, callback: 1 } as const
type Name = keyof typeof CASES

export async function benchDistance(runtime: Runtime): Promise<Check[]> {
  const { headers, slug, target } = await setUp(runtime)
  target.close()
  const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
  const counter = new Target(runtime.url)
  const trips = () => counter.call<Trips>({ method: 'GET', path: '/trips' })
  const post = (path: string, body: unknown) => send(runtime.url, { method: 'POST', path, body }, headers)
  const item = await post('/api/items', itemOf(1))
  const callOf: Record<Name, () => Promise<Call>> = {
    get: async () => ({ method: 'GET', path: `/api/items/${item.body.id}` }),
    list: async () => ({ method: 'GET', path: '/api/items' }),
    'change history': async () => ({ method: 'GET', path: '/api/change-history?after=' }),
    create: async () => ({ method: 'POST', path: '/api/items', body: itemOf(2) }),
    callback: async () => {
      const task = await post('/api/event-workflow-tasks', { name: 'wait', async: true })
      const body = { taskId: task.body.id, status: 'SUCCESS' }
      return { method: 'POST', path: '/api/external-events/callback', body }
    },
  }
  const checks: Check[] = []
  for (const [name, most] of Object.entries(CASES) as [Name, number][]) {
    // A key that the isolate has never seen. That it is used is noted after the answer, once an hour: not counted here.
    const { key } = await operator.call<{ key: string }>({
      method: 'POST',
      path: `/api/operator/orgs/${slug}/api-keys`,
      body: { name, tier: 'internal' },
    })
    await runtime.run('UPDATE credentials SET last_used_on = ?', Date.now())
    for (const moment of ['first', 'later']) {
      const call = await callOf[name]()
      const { bookmark = '' } = await send(runtime.url, { method: 'GET', path: '/api/items?limit=1' }, headers)
      await trips()
      const { ms } = await send(runtime.url, call, { ...headers, 'X-Api-Key': key, 'x-d1-bookmark': bookmark })
      const { far, near } = await trips()
      const note = `${near} near, ${Math.round(ms)} ms with the primary ${FAR_MS} ms away`
      checks.push({ name: `far trips: ${name}, ${moment} call`, ratio: far, target: most, isAtLeast: false, note })
    }
  }
  operator.close()
  counter.close()
  return checks
}
