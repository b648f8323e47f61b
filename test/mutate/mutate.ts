// npm run mutate: changes the sources one small step at a time and looks whether a test notices. README.md says more.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ACCEPTED } from './accepted.ts'
import { attemptAll, type Candidate, type Verdict } from './attempts.ts'
import { CACHE, prepared, RUN } from './cache.ts'
import { coverage } from './coverage.ts'
import { endRun } from './runs.ts'
import { shuffled } from './shuffled.ts'
import type { Numbered } from './switched.ts'
import { ROOT } from './targets.ts'
import { trialsFor } from './trials.ts'

const LEAST_KILLED = 0.85
/** Of the last time, for --again. */
const SURVIVORS = path.join(CACHE, 'survivors.json')
/** Mutants that share a start of the runtime. */
const GROUP = 40

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '' },
    since: { type: 'string' },
    again: { type: 'boolean', default: false },
    max: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 10_000)) },
    seconds: { type: 'string', default: '20' },
  },
})

process.on('exit', () => {
  endRun()
  rmSync(RUN, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const all = prepared()
const covered = await coverage()
const parts = values.files.split(',').filter(part => part !== '')
const changed = values.since === undefined ? undefined : changedSince(values.since)
const inScope = all.filter(
  ({ file, line }) =>
    (parts.length === 0 || parts.some(part => isAt(part, file, line))) && (!changed || changed.has(file)),
)
type Named = Pick<Numbered, 'file' | 'change'>
const isAmong = (list: readonly Named[], { file, change }: Named) =>
  list.some(one => one.file === file && one.change === change)
const survivedBefore = values.again ? (JSON.parse(readFileSync(SURVIVORS, 'utf8')) as Named[]) : undefined
const open = inScope.filter(
  mutant => !isAmong(ACCEPTED, mutant) && (!survivedBefore || isAmong(survivedBefore, mutant)),
)
const candidates: Candidate[] = shuffled(open, Number(values.seed))
  .slice(0, Number(values.max))
  .map(mutant => ({ mutant, trials: trialsFor(mutant, all, covered, 1000 * Number(values.seconds)) }))
console.log(
  `${inScope.length} mutants, ${inScope.filter(mutant => isAmong(ACCEPTED, mutant)).length} of them accepted; ` +
    `trying ${candidates.length}, seed ${values.seed}`,
)

const verdicts = new Map<Candidate, Verdict>()
const undecided = () => candidates.filter(candidate => verdicts.get(candidate)?.killedBy == null)
const doubtful: Candidate[] = []
let tried = 0

await attemptAll('pure', candidates, (candidate, verdict) => {
  if (verdict.killedBy === null || verdict.isDoubtful) return
  tell(candidate, verdict)
})
const rest = undecided()
for (let at = 0; at < rest.length; at += GROUP) {
  await attemptAll('worker', rest.slice(at, at + GROUP), (candidate, verdict) => {
    if (verdict.isDoubtful) doubtful.push(candidate)
    else tell(candidate, verdict)
  })
}
// In a runtime of its own, where no other mutant can have left anything behind.
for (const one of doubtful) await attemptAll('worker', [one], tell)
report()

function tell(candidate: Candidate, verdict: Verdict): void {
  verdicts.set(candidate, verdict)
  const how = verdict.killedBy === null ? 'SURVIVED' : `killed by ${verdict.killedBy}`
  console.log(`${++tried}/${candidates.length} ${titleOf(candidate.mutant)}\n    ${how}`)
}

function titleOf({ file, line, change }: Numbered): string {
  return `${file}:${line} ${change}`
}

function report(): void {
  const survivors = undecided()
  const killed = candidates.length - survivors.length
  const share = candidates.length === 0 ? 1 : killed / candidates.length
  console.log(`\n${killed} killed, ${survivors.length} survived: ${(100 * share).toFixed(1)} % (seed ${values.seed})`)
  for (const { mutant, trials } of survivors) {
    const tests = trials.reduce((sum, { names }) => sum + names.length, 0)
    console.log(`  [${mutant.operator}, ${tests} tests] ${titleOf(mutant)}`)
  }
  writeFileSync(SURVIVORS, JSON.stringify(survivors.map(({ mutant: { file, change } }): Named => ({ file, change }))))
  if (share < LEAST_KILLED) process.exitCode = 1
}

/** `entities/store.ts` or `entities/store.ts:17`, as survivors are printed. */
function isAt(part: string, file: string, line: number): boolean {
  const [name = '', number] = part.split(':')
  return file.includes(name) && (number === undefined || Number(number) === line)
}

function changedSince(commit: string): Set<string> {
  const names = execFileSync('git', ['diff', '--name-only', commit, '--', 'src'], { cwd: ROOT, encoding: 'utf8' })
  return new Set(names.split('\n'))
}
