// /openapi.json and /docs. The viewer's files are static assets of the Worker; nothing comes from elsewhere.

import type { OpenContext } from '../context.ts'
import { digestOf } from '../digest.ts'
import { Fault, invalid } from '../errors.ts'
import { isFresh } from './etag.ts'
import { type App, openContext } from './mount.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Selvedge</title>
<link rel="icon" href="/docs/guides.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header class="docs">
<a class="mark" href="/docs/guides">Selvedge</a>
<a href="/docs/guides">Guides</a>
<a href="/docs" aria-current="page">API reference</a>
</header>
<div id="reference"></div>
<noscript><p>The reference is drawn by a script; the document behind it is <a href="/openapi.json">openapi.json</a>.</p></noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start-reference.js"></script>
</body>
</html>
`

const CONTENT_SECURITY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'"

interface Made {
  text: string
  etag: string
}

async function made(document: Record<string, unknown>): Promise<Made> {
  const text = JSON.stringify(document)
  return { text, etag: `"${await digestOf(text)}"` }
}

function answer(request: Request, { text, etag }: Made, cacheControl: string): Response {
  const headers = { ETag: etag, 'Cache-Control': cacheControl }
  if (isFresh(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { 'Content-Type': 'application/json', ...headers } })
}

/** The slug may stand in the address, the header or both; both must then be the same. */
function ofOrganization(request: Request, org: string): Request {
  const headers = new Headers(request.headers)
  const said = headers.get('X-Api-Org')
  if (!/^[\w-]{1,64}$/.test(org) || (said !== null && said.trim() !== org)) {
    throw invalid([{ path: '/org', message: 'Expected the slug of the organization that the key belongs to.' }])
  }
  headers.set('X-Api-Org', org)
  return new Request(request.url, { headers })
}

/** Names that a deployment may be called by; a document for each is kept. */
const ORIGINS_MAX = 10

/** The document with what the organization of the caller has added to it, or a refusal. */
type OwnDocument = (document: Record<string, unknown>, request: Request, open: OpenContext) => Promise<Document>
type Document = Record<string, unknown>

/** As it was laid out with the assets, for callers of this address. */
async function documentAt(origin: string, base: string, assets: Fetcher): Promise<Document> {
  const asset = await assets.fetch(`${origin}/docs/openapi.json`)
  if (!asset.ok) throw new Fault('unavailable', 'The document is not among the assets of this deployment.')
  return { ...(await asset.json<Document>()), servers: [{ url: origin + base }] }
}

/** For people: a page instead of a problem document, where a browser asks for an address that is not there (N115). */
export async function notFoundPage(request: Request, assets: Fetcher): Promise<Response | undefined> {
  if (!request.headers.get('Accept')?.includes('text/html')) return undefined
  const page = await assets.fetch(new URL('/docs/404', request.url))
  return page.ok ? new Response(page.body, { status: 404, headers: page.headers }) : undefined
}

export function docs(app: App, base: string, ownDocument: OwnDocument): void {
  const documents = new Map<string, Made>()

  app.get('/openapi.json', async c => {
    const { origin, searchParams } = new URL(c.req.url)
    const document = documents.get(origin) ?? (await made(await documentAt(origin, base, c.env.ASSETS)))
    if (documents.size < ORIGINS_MAX) documents.set(origin, document)
    const org = searchParams.get('org')
    if (org === null) return answer(c.req.raw, document, 'no-cache')
    const own = await ownDocument(JSON.parse(document.text) as Document, ofOrganization(c.req.raw, org), openContext(c))
    return answer(c.req.raw, await made(own), 'private, no-cache')
  })
  app.get(
    '/docs',
    () =>
      new Response(PAGE, {
        headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': CONTENT_SECURITY },
      }),
  )
  app.get('/docs/*', async c => {
    const asset = await c.env.ASSETS.fetch(c.req.raw)
    // What a browser knows already is a 304, and another spelling of an address leads to the right one.
    return asset.status === 404 ? c.notFound() : asset
  })
  app.get('/', c => c.redirect('/console/'))
}
