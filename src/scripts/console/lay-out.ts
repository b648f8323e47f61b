// Builds the console as static assets: scripts in pieces with hashed names, one style sheet, one page for every address below
// /console, and the headers and the rewrite that belong to them.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../../..')
const source = path.join(root, 'src/clients/console')

/** Where the pieces are. Below /console every address is the one page. */
export const FILES = 'console-files'

/** Nothing but our own scripts, styles, icons and API; nobody may frame it. */
export const CONSOLE_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export const CONSOLE_HEADERS = `/console/*
  Content-Security-Policy: ${CONSOLE_SECURITY}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
  Strict-Transport-Security: max-age=31536000
  Cross-Origin-Opener-Policy: same-origin
  Cache-Control: no-cache

/${FILES}/*
  X-Content-Type-Options: nosniff
  Cache-Control: public, max-age=31536000, immutable
`

export const CONSOLE_REDIRECTS = `/ /console/ 302
/console/* /console/ 200
`

/** `assets` is the folder that the Worker serves as its static assets. */
export async function layOutConsole(assets: string): Promise<Metafile> {
  const files = path.join(assets, FILES)
  const page = path.join(assets, 'console')
  rmSync(files, { recursive: true, force: true })
  mkdirSync(page, { recursive: true })
  const { metafile } = await build({
    entryPoints: [path.join(source, 'main.tsx')],
    outdir: files,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    alias: { '#load-preview': path.join(root, 'src/features/loads/preview.ts') },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: true,
    metafile: true,
    legalComments: 'linked',
    absWorkingDir: root,
  })
  copyFileSync(path.join(root, 'src/guides/guides.svg'), path.join(files, 'icon.svg'))
  const { script, style, pieces } = entryFiles(metafile)
  const preloads = pieces.map(piece => `<link rel="modulepreload" href="${piece}">\n`).join('')
  const template = readFileSync(path.join(source, 'index.html'), 'utf8')
  const html = template.replace('{{script}}', script).replace('{{style}}', style).replace('{{preloads}}', preloads)
  writeFileSync(path.join(page, 'index.html'), html)
  return metafile
}

/** The entry, and the pieces that it cannot begin without: they come at once instead of one after the other. */
function entryFiles({ outputs }: Metafile): { script: string; style: string; pieces: string[] } {
  const entry = Object.entries(outputs).find(([, output]) => output.entryPoint?.endsWith('console/main.tsx'))
  if (!entry?.[1].cssBundle) throw new Error('the console has no entry or no style sheet')
  const address = (file: string) => `/${FILES}/${path.basename(file)}`
  const needed = staticImports(outputs, entry[0])
  return { script: address(entry[0]), style: address(entry[1].cssBundle), pieces: needed.map(address) }
}

/** Of a piece, and of what it imports itself. */
export function staticImports(outputs: Metafile['outputs'], file: string, seen = new Set<string>()): string[] {
  for (const { path: target, kind } of outputs[file]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(target) || !(target in outputs)) continue
    seen.add(target)
    staticImports(outputs, target, seen)
  }
  return [...seen]
}
