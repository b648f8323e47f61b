// The whole application on one screen: middleware in order, features in order, the generic entity routes last.
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import { agentRoutes } from './features/agents/routes.ts'
import { assortmentRoutes } from './features/assortments/routes.ts'
import { auditRoutes } from './features/audit/routes.ts'
import { gate } from './features/auth/gate.ts'
import { keyRoutes } from './features/auth/routes.ts'
import { backupRoutes } from './features/backup/routes.ts'
import { documentWithTypes, organizationDocument } from './features/entities/document-types.ts'
import { entityRoutes } from './features/entities/routes.ts'
import { typeRoutes } from './features/entities/type-routes.ts'
import { exportRoutes } from './features/exports/routes.ts'
import { fileRoutes } from './features/files/routes.ts'
import { historyRoutes } from './features/history/routes.ts'
import { invitationRoutes } from './features/invitations/routes.ts'
import { loadRoutes } from './features/loads/routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { moveRoutes } from './features/moves/routes.ts'
import { operatorRoutes } from './features/operator/routes.ts'
import { outboundRoutes } from './features/outbound/routes.ts'
import { revertRoutes } from './features/reverts/routes.ts'
import { searchRoutes } from './features/search/routes.ts'
import { signInRoutes } from './features/sign-in/routes.ts'
import { ssoRoutes } from './features/sso/routes.ts'
import { freshTypes } from './features/types/service.ts'
import { workflowRoutes } from './features/workflows/routes.ts'
import { KINDS, pluralPath } from './kinds.ts'
import type { Context } from './platform/context.ts'
import type { Env } from './platform/env.ts'
import { Fault, faultOf } from './platform/errors.ts'
import { cors } from './platform/http/cors.ts'
import { docs, notFoundPage } from './platform/http/docs.ts'
import { healthOf } from './platform/http/health.ts'
import { install, type Variables } from './platform/http/mount.ts'
import type { Route } from './platform/http/operation.ts'
import { problemResponse } from './platform/http/problem.ts'
import { observe } from './platform/http/response-headers.ts'
import { VERSION } from './version.ts'

export const BASE = '/api'

export const routes: readonly Route[] = [
  ...operatorRoutes,
  ...backupRoutes,
  ...moveRoutes,
  ...signInRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...keyRoutes,
  ...ssoRoutes,
  ...auditRoutes,
  ...historyRoutes,
  ...searchRoutes,
  ...typeRoutes,
  ...fileRoutes,
  ...loadRoutes,
  ...revertRoutes,
  ...assortmentRoutes,
  ...outboundRoutes,
  ...workflowRoutes,
  ...agentRoutes,
  ...exportRoutes(KINDS),
  ...entityRoutes(KINDS),
]

/** Where agents look for it, too (N55). */
const AGENTS = '/mcp'

/** With and without a trailing slash, plural and singular (N2). */
function pathOf(request: Request): string {
  const { url } = request
  const from = url.indexOf('/', url.indexOf('://') + 3)
  let end = url.slice(from).search(/[?#]/)
  end = end < 0 ? url.length : from + end
  while (end > from + 1 && url[end - 1] === '/') end--
  const path = url.slice(from, end)
  if (path === AGENTS) return BASE + AGENTS
  if (!path.startsWith(`${BASE}/`)) return path
  const segment = path.slice(BASE.length + 1).split('/', 1)[0] ?? ''
  const plural = pluralPath(segment)
  return plural === segment ? path : `${BASE}/${plural}${path.slice(BASE.length + 1 + segment.length)}`
}

// Hono's other router does not take our paths: it would be tried and given up by every isolate.
export const app = new HonoBase<{ Bindings: Env; Variables: Variables }>({ router: new TrieRouter(), getPath: pathOf })

app.use(observe)
app.use(cors)
app.get('/health', async c => {
  // The same as the operator's status, with the operator's key.
  if (c.req.query('deep') === '1') {
    return app.fetch(new Request(new URL(`${BASE}/operator/status`, c.req.url), c.req.raw), c.env, c.executionCtx)
  }
  const health = await healthOf(c.env, VERSION, Date.now())
  return c.json(health, health.status === 'ok' ? 200 : 503, { 'Cache-Control': 'no-store' })
})
docs(app, BASE, async (document, request, open) => {
  const { context } = await gate(organizationDocument, request, open)
  return documentWithTypes(document, await freshTypes(context as Context))
})
install(app, BASE, routes, gate)

app.notFound(
  async c =>
    (await notFoundPage(c.req.raw, c.env.ASSETS)) ??
    problemResponse(new Fault('not_found', 'There is nothing at this address.'), c.get('requestId')),
)
app.onError((error, c) => {
  const fault = faultOf(error)
  if (fault.code === 'internal') console.error(c.get('requestId'), error)
  return problemResponse(fault, c.get('requestId'))
})
