// Builds the Worker as a deploy would, without deploying it.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** The path of the script that would be uploaded. */
export function buildBundle(outdir: string): string {
  const wrangler = path.join(root, 'node_modules/wrangler/bin/wrangler.js')
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', outdir]
  const { status, stdout, stderr } = spawnSync('node', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the Worker could not be built\n${stdout}\n${stderr}`)
  return path.join(outdir, 'index.js')
}
