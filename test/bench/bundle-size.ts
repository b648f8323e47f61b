// The Worker as it is uploaded, compressed as Cloudflare counts it.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Check } from './report.ts'

const MAX_KB = 350

export function bundleSize(script: string): Check {
  const kilobytes = gzipSync(readFileSync(script)).length / 1024
  return {
    name: `Worker bundle, gzip, against ${MAX_KB} KB`,
    ratio: kilobytes / MAX_KB,
    target: 1,
    isAtLeast: false,
    note: `${Math.round(kilobytes)} KB`,
  }
}
