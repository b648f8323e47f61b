// Builds what is published, in dist/package: the client (as ES module and as CommonJS, with declarations), the command (one file)
// and a package.json without dependencies, since the command's file holds all that it needs and the client needs nothing.

import { execFileSync } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import project from '../../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '../..')
const out = path.join(root, 'dist/package')
const client = path.join(root, 'src/clients/typescript')

const CLIENT = {
  import: { types: './esm/index.d.ts', default: './esm/index.js' },
  require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
}
const { name, version, description, keywords, license, engines } = project
const MANIFEST = {
  ...{ name, version, description, keywords, license, engines },
  type: 'module',
  // For tools that do not know `exports`.
  main: './cjs/index.js',
  module: './esm/index.js',
  types: './cjs/index.d.ts',
  exports: { '.': CLIENT, './client': CLIENT, './package.json': './package.json' },
  bin: { selvedge: 'cli.js' },
}
/** `selvedge/client` for the same tools. */
const FALLBACK = { type: 'module', main: '../cjs/index.js', module: '../esm/index.js', types: '../cjs/index.d.ts' }

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

for (const format of ['esm', 'cjs'] as const) {
  await build({
    entryPoints: [path.join(client, 'index.ts')],
    outfile: path.join(out, format, 'index.js'),
    bundle: true,
    format,
    target: 'es2022',
    platform: 'neutral',
  })
}
await writeDeclarations(path.join(out, 'esm'))
for (const file of await readdir(path.join(out, 'esm'))) {
  if (file.endsWith('.d.ts')) await cp(path.join(out, 'esm', file), path.join(out, 'cjs', file))
}

const command = path.join(out, 'cli.js')
await build({
  entryPoints: [path.join(root, 'src/clients/cli/main.ts')],
  outfile: command,
  bundle: true,
  minify: true,
  legalComments: 'eof',
  format: 'esm',
  target: 'node20',
  platform: 'node',
  // CommonJS packages in the bundle ask for Node's own modules.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
})
await chmod(command, 0o755)

await writeJson('package.json', MANIFEST)
await writeJson('cjs/package.json', { type: 'commonjs' })
await writeJson('client/package.json', FALLBACK)
for (const file of ['README.md', 'LICENSE']) await copyFile(path.join(root, file), path.join(out, file))

async function writeJson(file: string, value: object): Promise<void> {
  await mkdir(path.dirname(path.join(out, file)), { recursive: true })
  await writeFile(path.join(out, file), `${JSON.stringify(value, null, 2)}\n`)
}

/** Declarations name each other as the sources do (.ts); what is published stands beside them as .js. */
async function writeDeclarations(folder: string): Promise<void> {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', client], { stdio: 'inherit' })
  for (const each of await readdir(folder)) {
    if (!each.endsWith('.d.ts')) continue
    const file = path.join(folder, each)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/(['"])(\.\/[\w-]+)\.ts\1/g, '$1$2.js$1'))
  }
}
