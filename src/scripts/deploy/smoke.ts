// Asks what was deployed whether it works. A new address takes a while to be known everywhere.
import { setTimeout } from 'node:timers/promises'
import { SCHEMA_FILE, VERSION } from './release.ts'

const PAUSE_MS = 2000

interface Health {
  status: string
  version: string
  schema: { expected: string; applied: string | null }
  missingBindings: string[]
}

export async function smokeTest(origin: string, environment: string, patienceMs: number): Promise<string> {
  const until = Date.now() + patienceMs
  for (;;) {
    const fault = await faultOf(origin, environment)
    if (fault === undefined) return `${origin} runs ${VERSION} on schema ${SCHEMA_FILE}`
    if (Date.now() > until) throw new Error(`${origin} ${fault}`)
    await setTimeout(PAUSE_MS)
  }
}

/** The first thing that is not as it should be. */
async function faultOf(origin: string, environment: string): Promise<string | undefined> {
  const health = await answerOf(`${origin}/health`)
  if (health.body === undefined) return `does not answer /health as it should: ${health.told}`
  const { status, version, schema, missingBindings, ...rest } = health.body as unknown as Health & {
    environment: string
  }
  if (version !== VERSION) return `runs version ${version}, not ${VERSION}`
  if (rest.environment !== environment) return `runs as ${rest.environment}, not as ${environment}`
  if (missingBindings.length > 0) return `lacks ${missingBindings.join(', ')}`
  if (status !== 'ok') return `has a database at ${schema.applied ?? 'no schema'}, and needs ${schema.expected}`
  // A key is asked for, the document is made, the console is there.
  for (const [where, expected] of [
    ['/api/items', 401],
    ['/openapi.json', 200],
    ['/console/', 200],
  ] as const) {
    const answer = await answerOf(origin + where)
    if (answer.status !== expected) return `answers ${where} with ${answer.told}, not ${expected}`
  }
  return undefined
}

async function answerOf(address: string): Promise<{ status: number; told: string; body?: Record<string, unknown> }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(20_000) })
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.includes('json')
    const told = `${response.status} ${text.slice(0, 100)}`
    return { status: response.status, told, ...(isJson && { body: JSON.parse(text) }) }
  } catch (error) {
    return { status: 0, told: `no answer (${error instanceof Error ? error.message : error})` }
  }
}
