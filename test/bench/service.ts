// An organization of the service under test, with a key that no rate limit holds back.
import { Target } from './client.ts'
import { OPERATOR_KEY, type Runtime } from './runtime.ts'

export interface Service {
  target: Target
  slug: string
  headers: Record<string, string>
}

let made = 0

/** In the emptiest database, where none is named. */
export async function setUp(runtime: Runtime, database?: string): Promise<Service> {
  const operator = new Target(runtime.url, { 'X-Operator-Key': OPERATOR_KEY })
  const slug = `bench-${++made}`
  await operator.call({ method: 'POST', path: '/api/operator/orgs', body: { slug, name: slug, database } })
  const { key } = await operator.call<{ key: string }>({
    method: 'POST',
    path: `/api/operator/orgs/${slug}/api-keys`,
    body: { name: 'bench', tier: 'internal' },
  })
  operator.close()
  const headers = { 'X-Api-Key': key, 'X-Api-Org': slug }
  return { slug, headers, target: new Target(runtime.url, headers) }
}
