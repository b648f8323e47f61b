// Puts routes on the app: who may come in, what they may send, then the handler. The order is the same for every operation:
// 405, 401, 429, 403, parameters, size, content type, JSON, schema.
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { HonoBase } from 'hono/hono-base'
import type { Context, OpenContext } from '../context.ts'
import { answerOnce } from '../db/kept-answer.ts'
import type { Env } from '../env.ts'
import { Fault } from '../errors.ts'
import { CREDENTIAL_CACHE_MS } from '../limits.ts'
import { publicUrl } from '../public-url.ts'
import { idempotencyOf, repeatIdOf } from './idempotency-key.ts'
import type { Answer, Operation, Route } from './operation.ts'
import { addressOf } from './rate-limit.ts'
import { queryValidator, validBody } from './valid.ts'

export interface Variables {
  requestId: string
  started: number
  context: Context
  /** The path of the operation, with the names of its parameters. */
  route: string
  /** Headers that the gate adds to the answer, such as the rate policy. */
  gateHeaders: Record<string, string>
}

export type App = HonoBase<{ Bindings: Env; Variables: Variables }>
type AppContext = HonoContext<{ Bindings: Env; Variables: Variables }>

/** Lets a caller in, or throws; what it returns is what the handler is given. */
export type Gate = (
  operation: Operation,
  request: Request,
  open: OpenContext,
) => Promise<{ context: Context | OpenContext; headers: Record<string, string> }>

export function install(app: App, base: string, routes: readonly Route[], gate: Gate): void {
  const put = ({ operation, handle }: Route) => {
    const path = base + operation.path
    app.on(operation.method, path, enter(operation, gate), queryValidator(operation), serve(operation, handle, gate))
  }
  // `batch` is no id: a path without parameters is that path for every method, those that it does not take included.
  const [fixed, open] = [routes.filter(isFixed), routes.filter(route => !isFixed(route))]
  const refuse = methodNotAllowed(base, fixed, open)
  fixed.forEach(put)
  for (const path of new Set(fixed.map(({ operation }) => operation.path))) app.all(base + path, refuse)
  open.forEach(put)
  app.all(`${base}/*`, refuse)
}

const isFixed = ({ operation }: Route) => !operation.path.includes(':')

export function openContext(c: AppContext): OpenContext {
  return {
    env: c.env,
    now: Date.now(),
    requestId: c.get('requestId'),
    address: addressOf(c.req.raw),
    baseUrl: publicUrl(c.env) ?? `${originOf(c.req.url)}/api`,
    // The answer is out already: who failed is told to the log, without what a statement held.
    defer: work =>
      c.executionCtx.waitUntil(work.catch(error => console.error('deferred work failed', c.get('requestId'), error))),
  }
}

/** Of an address as the runtime has parsed it: up to its path. */
function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('://') + 3))
}

function enter(operation: Operation, gate: Gate): MiddlewareHandler<{ Bindings: Env; Variables: Variables }> {
  return async (c, next) => {
    c.set('route', operation.path)
    await letIn(c, operation, gate)
    await next()
  }
}

async function letIn(c: AppContext, operation: Operation, gate: Gate): Promise<void> {
  const { context, headers } = await gate(operation, c.req.raw, openContext(c))
  c.set('context', context as Context)
  c.set('gateHeaders', headers)
}

function serve(operation: Operation, handle: Route['handle'], gate: Gate) {
  return async (c: AppContext): Promise<Response> => {
    const { value: body, sent } = await validBody(operation, c.req.raw)
    // A body may come slowly: a caller that was let in longer ago than credentials are cached is authenticated again (N9).
    if (Date.now() - c.get('context').now > CREDENTIAL_CACHE_MS) await letIn(c, operation, gate)
    const context = c.get('context')
    const params = c.req.param() as Record<string, string>
    const idempotency = await idempotencyOf(operation, c.req.raw, { params, sent }, callerOf(operation, context), c.env)
    const query = operation.query ? c.req.valid('query' as never) : {}
    const input = { params, query, body, request: c.req.raw }
    const answer = operation.keepsAnswer
      ? await answerOnce({ env: c.env, orgId: context.org?.id ?? '' }, idempotency, async () =>
          handle(idempotency ? { ...context, repeatId: await repeatIdOf(idempotency) } : context, input),
        )
      : await handle(idempotency ? { ...context, idempotency } : context, input)
    return answer instanceof Response ? answer : respond(operation, answer)
  }
}

/** Whose keys they are: those of one credential are no concern of another's. */
function callerOf({ access }: Operation, { principal, operator }: Partial<Context>): string | undefined {
  return access === 'operator' ? `operator:${operator}` : principal?.credentialId
}

function respond(operation: Operation, { body, status = operation.status, headers = {} }: Answer): Response {
  const all = { 'Cache-Control': 'no-store', ...headers }
  if (body === undefined) return new Response(null, { status, headers: all })
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...all } })
}

/** A path may fit several operations with parameters: Allow names the methods of all. */
function methodNotAllowed(base: string, ...groups: (readonly Route[])[]) {
  const patterns = groups.map(routes =>
    routes.map(({ operation }) => ({ method: operation.method, words: (base + operation.path).split('/') })),
  )
  return (c: AppContext): Response | Promise<Response> => {
    const path = c.req.path.split('/')
    const fitting = patterns.map(group => group.filter(({ words }) => fits(words, path)))
    const methods = (fitting.find(group => group.length > 0) ?? []).map(({ method }) => method)
    if (methods.length === 0) return c.notFound()
    const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ')
    throw new Fault('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } })
  }
}

function fits(words: readonly string[], path: readonly string[]): boolean {
  return (
    words.length === path.length && words.every((word, at) => word === path[at] || (word.startsWith(':') && path[at]))
  )
}
