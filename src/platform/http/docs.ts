// /openapi.json and /docs. The viewer's files are static assets of the Worker; nothing comes from elsewhere.

import type { App } from './mount.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Selvedge API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const CONTENT_SECURITY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'"

export function docs(app: App, documentFor: (origin: string) => Record<string, unknown>): void {
  const documents = new Map<string, string>()

  app.get('/openapi.json', c => {
    const { origin } = new URL(c.req.url)
    const document = documents.get(origin) ?? JSON.stringify(documentFor(origin))
    if (documents.size < 10) documents.set(origin, document)
    return new Response(document, { headers: { 'Content-Type': 'application/json' } })
  })
  app.get(
    '/docs',
    () =>
      new Response(PAGE, {
        headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': CONTENT_SECURITY },
      }),
  )
  app.get('/docs/:file', async c => {
    const asset = await c.env.ASSETS.fetch(c.req.raw)
    // What a browser knows already is a 304, and another spelling of an address leads to the right one.
    return asset.status === 404 ? c.notFound() : asset
  })
  app.get('/', c => c.redirect('/docs'))
}
