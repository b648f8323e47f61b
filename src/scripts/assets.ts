// Lays out the static assets of the Worker: the viewer of the API reference, from the package that holds it, and the guides.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { layOutGuides } from './guides/lay-out.ts'

const root = path.resolve(import.meta.dirname, '../..')
const viewer = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const assets = path.join(root, 'dist/assets')
const target = path.join(assets, 'docs')

const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: true,
  validatorUrl: null,
})
`

mkdirSync(target, { recursive: true })
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) {
  copyFileSync(path.join(viewer, file), path.join(target, file))
}
writeFileSync(path.join(target, 'start.js'), START)
layOutGuides(assets)
