// Builds the Worker as a deploy would and refuses what Workers forbid: the test runtime lets it through (eval, new Function).
// Prints the gzip size, which has a bound of its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildBundle } from './bundle.ts'

const MAX_GZIP_BYTES = 388 * 1024
const FORBIDDEN = /\beval\(|\bnew Function\(|(?<![\w.])Function\(/

const out = mkdtempSync(path.join(tmpdir(), 'selvedge-bundle-'))
try {
  const bundle = readFileSync(buildBundle(out))
  const found = FORBIDDEN.exec(bundle.toString('utf8'))
  if (found) {
    const around = bundle.toString('utf8').slice(Math.max(0, found.index - 60), found.index + 60)
    throw new Error(`The bundle holds "${found[0]}", which Workers refuse: …${around}…`)
  }
  const bytes = gzipSync(bundle).length
  console.log(`bundle: ${Math.round(bytes / 1024)} KB gzip, no eval, no new Function`)
  if (bytes > MAX_GZIP_BYTES) throw new Error(`The bundle is larger than ${MAX_GZIP_BYTES / 1024} KB gzip.`)
} finally {
  rmSync(out, { recursive: true, force: true })
}
