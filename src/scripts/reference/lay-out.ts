// The API reference as static assets: the document, and its viewer, which is Scalar as one script, our settings and our colors.
//
// Scalar's own package brings three hundred others, which the built script does not need. Its plugin for Fastify carries
// the same script, and hands it out to a stand-in of Fastify that only takes its routes.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import plugin from '@scalar/fastify-api-reference'
import { documentText } from './document.ts'

interface Reply {
  header(): Reply
  send(content: string): void
}

interface PluginRoute {
  url: string
  handler(request: object, reply: Reply): void
}

type Plugin = (fastify: object, options: object, done: () => void) => void

function viewerScript(): string {
  const routes: PluginRoute[] = []
  const fastify = { route: (route: PluginRoute) => routes.push(route) }
  ;(plugin as unknown as Plugin)(fastify, { configuration: { url: '/openapi.json' } }, () => undefined)
  let script = ''
  const reply: Reply = {
    header: () => reply,
    send: content => {
      script = content
    },
  }
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply)
  if (!script.includes('createApiReference')) throw new Error('the package of the viewer holds no viewer')
  return withPlaceholders(script)
}

/** What examples show before a reader has typed a credential, by the name of the header. */
const PLACEHOLDERS = {
  'X-Api-Key': 'app:YOUR_KEY',
  'X-Api-Org': 'YOUR_ORGANIZATION',
  'X-Operator-Key': 'YOUR_OPERATOR_KEY',
}

/** The viewer shows one word for every credential, and has no setting for it. */
function withPlaceholders(script: string): string {
  const keyed = /(\w+)\[`x-scalar-secret-token`\]\|\|`YOUR_SECRET_TOKEN`;if\(!\1\.name\)/
  if (!keyed.test(script)) throw new Error('the viewer has its placeholder for credentials elsewhere')
  const byName = JSON.stringify(PLACEHOLDERS)
  return script
    .replace(
      keyed,
      (_, scheme: string) => `${scheme}["x-scalar-secret-token"]||${byName}[${scheme}.name];if(!${scheme}.name)`,
    )
    .replaceAll('YOUR_SECRET_TOKEN', 'YOUR_ACCESS_TOKEN')
}

/** `assets` is the folder that the Worker serves as its static assets. */
export async function layOutReference(assets: string): Promise<void> {
  const target = path.join(assets, 'docs')
  mkdirSync(target, { recursive: true })
  writeFileSync(path.join(target, 'openapi.json'), await documentText())
  writeFileSync(path.join(target, 'scalar.js'), viewerScript())
  for (const file of ['reference.css', 'start-reference.js']) {
    copyFileSync(path.join(import.meta.dirname, file), path.join(target, file))
  }
  const home = path.dirname(path.dirname(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))))
  copyFileSync(path.join(home, 'LICENSE'), path.join(target, 'scalar-license.txt'))
}
