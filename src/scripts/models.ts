// `npm run models`: makes the models of the clients from the OpenAPI document (N113). A test tells when they are not what it would make.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { pythonModels } from './models/python.ts'

const root = path.resolve(import.meta.dirname, '../..')
const bundle = path.join(root, 'node_modules/.cache/selvedge/document.mjs')

// The document is made from the Worker's routes, whose Durable Objects need a base class that only the runtime has.
const stub = path.join(path.dirname(bundle), 'runtime.mjs')
mkdirSync(path.dirname(bundle), { recursive: true })
writeFileSync(stub, 'export class DurableObject {}')
await build({
  stdin: {
    contents: `
      import { routes } from './src/app.ts'
      import { apiDocument } from './src/reference.ts'
      export const document = apiDocument(routes.map(({ operation }) => operation))`,
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  alias: { 'cloudflare:workers': stub },
  outfile: bundle,
  logLevel: 'error',
})
const { document } = await import(pathToFileURL(bundle).href)
writeFileSync(path.join(root, 'src/clients/python/selvedge/models.py'), pythonModels(document))
