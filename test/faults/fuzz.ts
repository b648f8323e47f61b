// `npm run fuzz [-- --minutes M --seed S]`: generated calls of every operation of the OpenAPI document, right and wrong, and hostile CSV, YAML,
// jsurl and expressions, for so long. Never a 5xx, always a documented status and body. What it finds belongs into test/worker/walk/corpus.ts.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const flags = process.argv.slice(2)
const flagOf = (flag: string, otherwise: number) =>
  Number(flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : otherwise)
const MINUTES = flagOf('--minutes', 10)
const SEED = flagOf('--seed', Date.now() % 1_000_000)
/** The rest is for the calls of the document. */
const HOSTILE_SHARE = 0.2

console.log(`seed ${SEED}`)
for (const [file, minutes] of [
  ['walk', MINUTES * (1 - HOSTILE_SHARE)],
  ['hostile-inputs', MINUTES * HOSTILE_SHARE],
] as const) {
  const args = ['run', '--config', 'test/vitest.config.ts', '--project', 'worker', `test/worker/walk/${file}.test.ts`]
  // Each search of the hostile inputs takes its share in one test.
  const patience = ['--testTimeout', String(minutes * 60_000 + 120_000)]
  const { status } = spawnSync(path.join(root, 'node_modules/.bin/vitest'), [...args, ...patience], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_MINUTES: String(minutes), FUZZ_SEED: String(SEED) },
  })
  if (status !== 0) process.exitCode = 1
}
