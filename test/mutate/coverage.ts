// Which tests pass by which mutant: found by one ordinary run of the tests, kept until sources or tests change.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, fingerprint, hashOf } from './cache.ts'
import { type CoveredTest, type FileEnd, runTests } from './runs.ts'
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
  const ends = await coveredBy(missing)
  // Modules are loaded anew for each file, which an object of an earlier one may not survive: once more, in a new runtime.
  const failed = ends.filter(({ isOk }) => !isOk).map(({ file }) => file)
  if (failed.length > 0) ends.push(...(await coveredBy(failed)))
  for (const { isOk, failure, project, file, sharedHits, tests } of ends) {
    if (isOk) valid.push({ project, file, hash: hashes.get(file) ?? '', sharedHits, tests })
    else console.log(`  ${file} FAILS without any mutant: ${failure}`)
  }
  writeFileSync(FILE, JSON.stringify({ fingerprint: now, files: valid } satisfies Kept))
  return valid
}

async function coveredBy(files: readonly string[]): Promise<FileEnd[]> {
  const ends: FileEnd[] = []
  const { stuckIn, output } = await runTests({
    mode: 'cover',
    files,
    silenceMs: SILENCE_MS,
    onEnd: end => {
      const file = path.relative(ROOT, end.file)
      // Names of files are parts of names for vitest.
      if (!files.includes(file)) return
      ends.push({ ...end, file })
      console.log(`  ${ends.length}/${files.length} ${file}`)
    },
  })
  if (ends.length < files.length) console.log(`  It ended early, in ${stuckIn}.\n${output}`)
  return ends
}
