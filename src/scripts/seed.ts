// The organization `demo` of a local start (N13), made over the service's own API. A second start finds it and leaves it.
import { randomBytes } from 'node:crypto'

export interface Demo {
  apiKey: string
  email: string
  password: string
}

const EMAIL = 'admin@demo.example'
const READY_WITHIN_MS = 180_000
const ANSWER_WITHIN_MS = 10_000
const READY_PAUSE_MS = 200

const ITEMS = [
  { name: 'Trail Jacket', typePath: 'item', federatedId: 'TJ-100', roles: ['family'] },
  { name: 'Canvas Tote', typePath: 'item', federatedId: 'CT-200', roles: ['family'] },
  { name: 'Merino Crew', typePath: 'item', federatedId: 'MC-300', roles: ['family'] },
]

export async function seedDemo(origin: string, operatorKey: string, known?: Demo): Promise<Demo> {
  await untilReady(origin)
  if (known && (await answers(origin, known.apiKey))) return known

  const password = known?.password ?? randomBytes(12).toString('base64url')
  const operator = (method: string, path: string, body: object) =>
    send(`${origin}/api/operator${path}`, method, { 'X-Operator-Key': operatorKey }, body)
  const created = await operator('POST', '/orgs', { slug: 'demo', name: 'Demo', admin: { email: EMAIL, password } })
  if (created.status !== 201 && created.status !== 409) throw new Error(`seeding failed: ${await created.text()}`)
  const issued = await operator('POST', '/orgs/demo/api-keys', { name: 'demo', scope: 'write', tier: 'internal' })
  if (issued.status !== 201) throw new Error(`seeding failed: ${await issued.text()}`)
  const { key } = (await issued.json()) as { key: string }
  for (const item of ITEMS) await send(`${origin}/api/items`, 'POST', keyHeaders(key), item)
  return { apiKey: key, email: EMAIL, password }
}

const keyHeaders = (apiKey: string) => ({ 'X-Api-Key': apiKey, 'X-Api-Org': 'demo' })

async function answers(origin: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${origin}/api/items?limit=1`, { headers: keyHeaders(apiKey) })
  return response.ok
}

function send(url: string, method: string, headers: Record<string, string>, body: object): Promise<Response> {
  return fetch(url, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
}

async function untilReady(origin: string): Promise<void> {
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; ) {
    const ready = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
      response => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise(resolve => setTimeout(resolve, READY_PAUSE_MS))
  }
  throw new Error(`the service did not start on ${origin}`)
}
