// Builds what the package publishes: the client (one ES module and its declarations) and the command (one file with everything
// it needs, so that the package has no dependencies).

import { execFileSync } from 'node:child_process'
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../..')
const out = path.join(root, 'dist/client')

await rm(out, { recursive: true, force: true })

await build({
  entryPoints: [path.join(root, 'src/clients/typescript/index.ts')],
  outfile: path.join(out, 'index.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
})

const command = path.join(root, 'dist/cli.js')
await build({
  entryPoints: [path.join(root, 'src/clients/cli/main.ts')],
  outfile: command,
  bundle: true,
  minify: true,
  legalComments: 'eof',
  format: 'esm',
  target: 'node18',
  platform: 'node',
  // CommonJS packages in the bundle ask for Node's own modules.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
})
await chmod(command, 0o755)

const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', path.join(root, 'src/clients/typescript')], { stdio: 'inherit' })

// Declarations name each other as the sources do (.ts); what is published stands beside them as .js.
for (const name of await readdir(out)) {
  if (!name.endsWith('.d.ts')) continue
  const file = path.join(out, name)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(/(['"])(\.\/[\w-]+)\.ts\1/g, '$1$2.js$1'))
}
