// Which tests pass by which mutant: found by one ordinary run of the tests, kept until sources or tests change. Each file is kept as it
// comes, so that a run that was stopped goes on where it was.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, fingerprint, hashOf } from './cache.ts'
import { type CoveredTest, type FileEnd, runTests } from './runs.ts'
import { ROOT } from './targets.ts'
import { testFiles } from './test-files.ts'

const FILE = path.join(CACHE, 'coverage.jsonl')
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

/** The first line says what they are of; the last of a file counts. */
function kept(): CoveredFile[] {
  const now = fingerprint()
  try {
    const [first, ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n')
    const files = lines.map(line => JSON.parse(line) as CoveredFile)
    if (first === now) return [...new Map(files.map(one => [one.file, one])).values()]
  } catch {
    // There is none yet, or it was cut off.
  }
  writeFileSync(FILE, `${now}\n`)
  return []
}

/** Runs those test files that have changed; all, when sources have. */
export async function coverage(): Promise<CoveredFile[]> {
  const files = kept()
  const hashes = new Map(testFiles().map(file => [file, hashOf(file)]))
  const valid = files.filter(({ file, hash }) => hashes.get(file) === hash)
  const missing = [...hashes.keys()].filter(file => !valid.some(one => one.file === file))
  if (missing.length === 0) return valid
  console.log(`Looking which tests pass by which mutant: ${missing.length} test files run once.`)
  const keep = ({ isOk, project, file, sharedHits, tests }: FileEnd) => {
    if (!isOk) return
    const one: CoveredFile = { project, file, hash: hashes.get(file) ?? '', sharedHits, tests }
    valid.push(one)
    appendFileSync(FILE, `${JSON.stringify(one)}\n`)
  }
  const failed = (await coveredBy(missing, keep)).filter(({ isOk }) => !isOk).map(({ file }) => file)
  if (failed.length === 0) return valid
  // Modules are loaded anew for each file, which an object of an earlier one may not survive: once more, in a new runtime.
  for (const { isOk, file, failure } of await coveredBy(failed, keep)) {
    if (!isOk) console.log(`  ${file} FAILS without any mutant: ${failure}`)
  }
  return valid
}

async function coveredBy(files: readonly string[], keep: (end: FileEnd) => void): Promise<FileEnd[]> {
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
      keep({ ...end, file })
      console.log(`  ${ends.length}/${files.length} ${file}`)
    },
  })
  if (ends.length < files.length) console.log(`  It ended early, in ${stuckIn}.\n${output}`)
  return ends
}
