// The OpenAPI document, from the operations of the Worker itself: made once, as a static asset, instead of by every isolate.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../../..')

const ENTRY = `import { routes } from './app.ts'
import { apiDocument } from './reference.ts'
export const text = JSON.stringify(apiDocument(routes.map(({ operation }) => operation)))`

/** Beside the packages that it imports. */
const built = path.join(root, 'dist/reference/document.mjs')

export async function documentText(): Promise<string> {
  await build({
    stdin: { contents: ENTRY, resolveDir: path.join(root, 'src'), loader: 'ts' },
    outfile: built,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    tsconfigRaw: {},
    alias: { 'cloudflare:workers': path.join(import.meta.dirname, 'no-objects.ts') },
    absWorkingDir: root,
  })
  const { text } = (await import(pathToFileURL(built).href)) as { text: string }
  return text
}
