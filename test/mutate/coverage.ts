// Which tests pass by which mutant: found by one ordinary run of the tests, kept until sources or tests change.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, fingerprint, hashOf } from './cache.ts'
import { type CoveredTest, runTests } from './runs.ts'
import { ROOT } from './targets.ts'
import { testFiles } from './test-files.ts'

const FILE = path.join(CACHE, 'coverage.json')
const SILENCE_MS = 300_000

export interface CoveredFile {
  project: string
  /** From the root of the project. */
  file: string
  hash: string
  /** Passed by while the file was loaded, or in what is done once for all its tests. */
  sharedHits: number[]
  tests: CoveredTest[]
}

interface Kept {
  fingerprint: string
  files: CoveredFile[]
}

function kept(): Kept {
  const now = fingerprint()
  try {
    const found = JSON.parse(readFileSync(FILE, 'utf8')) as Kept
    if (found.fingerprint === now) return found
  } catch {
    // There is none yet.
  }
  return { fingerprint: now, files: [] }
}

/** Runs those test files that have changed; all, when sources have. */
export async function coverage(): Promise<CoveredFile[]> {
  const { fingerprint: now, files } = kept()
  const hashes = new Map(testFiles().map(file => [file, hashOf(file)]))
  const valid = files.filter(({ file, hash }) => hashes.get(file) === hash)
  const missing = [...hashes.keys()].filter(file => !valid.some(one => one.file === file))
  if (missing.length === 0) return valid
  console.log(`Looking which tests pass by which mutant: ${missing.length} test files run once.`)
  let done = 0
  const { stuckIn, output } = await runTests({
    mode: 'cover',
    files: missing,
    silenceMs: SILENCE_MS,
    onEnd: end => {
      const file = path.relative(ROOT, end.file)
      if (!hashes.has(file)) return
      console.log(`  ${++done}/${missing.length} ${file}${end.isOk ? '' : `: FAILS, is left out: ${end.failure}`}`)
      // A file that fails without any mutant is kept without tests: it can kill nothing.
      const { project, sharedHits, tests } = end
      valid.push({ project, file, hash: hashes.get(file) ?? '', sharedHits, tests: end.isOk ? tests : [] })
    },
  })
  writeFileSync(FILE, JSON.stringify({ fingerprint: now, files: valid } satisfies Kept))
  if (stuckIn !== undefined || done < missing.length) {
    throw new Error(`The coverage run ended early, in ${stuckIn}; run it again to go on.\n${output}`)
  }
  return valid
}
