// Tries mutants: writes a test file for each (attempt.ts), lets vitest run them all in one start, and reads what came of it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RUN } from './cache.ts'
import { runTests } from './runs.ts'
import type { Numbered } from './switched.ts'
import { ROOT } from './targets.ts'
import type { Trial } from './trials.ts'

/** A loop that never ends shows as silence; no test waits that long (vitest.config.ts). */
const SILENCE_MS = 60_000

export interface Candidate {
  mutant: Numbered
  trials: Trial[]
}

export interface Verdict {
  /** The first test that failed, and how; null: none did. */
  killedBy: string | null
  /** The test failed without the mutant, too: an earlier mutant has left something behind. */
  isDoubtful: boolean
}

type OnVerdict = (candidate: Candidate, verdict: Verdict) => void

/** In one start, or in as many as it takes when mutants stop the tests for ever. */
export async function attemptAll(project: string, candidates: readonly Candidate[], onVerdict: OnVerdict) {
  let left = candidates.filter(({ trials }) => trials.some(trial => trial.project === project))
  let starts = 0
  while (left.length > 0) {
    const decided = await attemptSome(project, left, onVerdict)
    left = left.filter(candidate => !decided.has(candidate))
    if (decided.size === 0 && ++starts > 1) throw new Error('Vitest ends without a result.')
  }
}

async function attemptSome(project: string, candidates: readonly Candidate[], onVerdict: OnVerdict) {
  const folder = path.join(RUN, project)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const owners = new Map<string, { candidate: Candidate; isControl: boolean }>()
  for (const [at, candidate] of candidates.entries()) {
    for (const step of ['attempt', 'control'] as const) {
      const file = path.join(folder, `${String(at).padStart(4, '0')}-${step}.test.ts`)
      writeFileSync(file, wrapper(step, candidate, project))
      owners.set(file, { candidate, isControl: step === 'control' })
    }
  }
  const decided = new Set<Candidate>()
  const killers = new Map<Candidate, string>()
  const decide = (candidate: Candidate, isDoubtful: boolean) => {
    decided.add(candidate)
    onVerdict(candidate, { killedBy: killers.get(candidate) ?? null, isDoubtful })
  }
  const { stuckIn, output } = await runTests({
    mode: 'try',
    project,
    silenceMs: SILENCE_MS,
    onEnd: ({ file, isOk, failure }) => {
      const owner = owners.get(file)
      if (!owner) return
      const { candidate, isControl } = owner
      if (isControl) decide(candidate, !isOk)
      else if (!isOk && !killers.has(candidate)) killers.set(candidate, failure ?? 'a hook failed')
    },
  })
  const stuck = stuckIn === undefined ? undefined : owners.get(stuckIn)
  if (stuck && !decided.has(stuck.candidate)) {
    if (!killers.has(stuck.candidate)) killers.set(stuck.candidate, 'time: the tests never ended')
    decide(stuck.candidate, false)
  }
  if (decided.size === 0) console.error(output)
  return decided
}

const literal = (value: unknown) => JSON.stringify(value)
const ATTEMPT = literal(path.join(ROOT, 'test/mutate/attempt.ts'))

function wrapper(step: 'attempt' | 'control', { mutant, trials }: Candidate, project: string): string {
  const files = trials
    .filter(trial => trial.project === project)
    .map(({ file, names }) => {
      const load = `() => import(${literal(path.join(ROOT, file))})`
      return `{ file: ${literal(file)}, names: ${literal(names)}, load: ${load} }`
    })
  return `import { ${step} } from ${ATTEMPT}\n${step}(${mutant.id}, [${files.join(',\n')}])\n`
}
