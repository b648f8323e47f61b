// npm run mutate: changes the sources one small step at a time and looks whether a test notices. Flags: --files a,b (parts of
// addresses), --max n (how many mutants, by chance), --seed n (which), --tests n (most tests for one mutant), --patience ms.
import { parseArgs } from 'node:util'
import { ACCEPTED } from './accepted.ts'
import { Child } from './child.ts'
import { Coverage, keepCoverage, keptCoverage } from './coverage.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import type { CoveredFile } from './protocol.ts'
import { targets } from './targets.ts'

const LEAST_KILLED = 0.85
const COVER_MS = 3_600_000

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '' },
    max: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 10_000)) },
    tests: { type: 'string', default: '250' },
    patience: { type: 'string', default: '20000' },
  },
})

const parts = values.files.split(',').filter(part => part !== '')
const sources = targets(parts)
const all = sources.flatMap(mutantsOf)
const isAccepted = ({ file, change }: Mutant) => ACCEPTED.some(one => one.file === file && one.change === change)
const open = all.filter(mutant => !isAccepted(mutant))
const chosen = shuffled(open, Number(values.seed)).slice(0, Number(values.max))
console.log(
  `${sources.length} files, ${all.length} mutants, ${all.length - open.length} accepted; trying ${chosen.length}, seed ${values.seed}`,
)

const child = new Child()
process.on('SIGINT', () => {
  child.kill()
  process.exit(130)
})
const coverage = new Coverage(await coveredFiles())
const survivors: { mutant: Mutant; tests: number }[] = []
let killed = 0

for (const [at, mutant] of chosen.entries()) {
  const began = performance.now()
  const outcome = await tried(mutant)
  if (outcome.killedBy === null) survivors.push({ mutant, tests: outcome.tests })
  else killed++
  const seconds = Math.round((performance.now() - began) / 1000)
  const how = outcome.killedBy === null ? `SURVIVED ${outcome.tests} tests` : `killed by ${outcome.killedBy}`
  console.log(`${at + 1}/${chosen.length} ${mutant.file}:${mutant.line} ${mutant.change}\n    ${how} (${seconds} s)`)
}
await child.ask({ type: 'end' }, 10_000)
report()

function report(): void {
  const share = chosen.length === 0 ? 1 : killed / chosen.length
  console.log(`\n${killed} killed, ${survivors.length} survived: ${(100 * share).toFixed(1)} %`)
  for (const { mutant, tests } of survivors) {
    console.log(`  ${mutant.file}:${mutant.line} [${mutant.operator}, ${tests} tests] ${mutant.change}`)
  }
  if (share < LEAST_KILLED) process.exitCode = 1
}

async function coveredFiles(): Promise<CoveredFile[]> {
  const kept = keptCoverage()
  if (kept) return kept
  console.log('Looking which tests run through what: all of them run once.')
  const reply = await child.ask({ type: 'cover' }, COVER_MS)
  if (reply?.type !== 'covered') throw new Error('The tests could not be run.')
  if (reply.failed.length > 0) console.log(`Fail without any mutant, and are left out: ${reply.failed.join(', ')}`)
  keepCoverage(reply.files)
  return reply.files
}

async function tried(mutant: Mutant): Promise<{ killedBy: string | null; tests: number }> {
  const refs = coverage.testsFor(mutant, Number(values.tests))
  if (refs.length === 0) return { killedBy: null, tests: 0 }
  const source = sources.find(({ file }) => file === mutant.file)?.text ?? ''
  const text = source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end)
  const patienceMs = Number(values.patience)
  const timeoutMs = 60_000 + 6 * patienceMs + 4 * coverage.msOf(refs)
  const reply = await child.ask({ type: 'try', file: mutant.file, text, tests: refs, patienceMs }, timeoutMs)
  if (reply?.type !== 'tried') return { killedBy: 'time: the tests never ended', tests: 0 }
  return { killedBy: reply.killedBy, tests: reply.testsRun }
}

/** The same order for the same seed. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return list
    .map(one => ({ one, rank: next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}
