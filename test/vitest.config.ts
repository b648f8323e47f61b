import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// `npm test` has laid them out before.
process.env.ASSETS_ARE_LAID_OUT = '1'
// Commands that tests start, each a process of its own, are compiled once.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/node')

const root = path.resolve(import.meta.dirname, '..')
const cheapPasswords = path.join(import.meta.dirname, 'worker/sign-in/cheap-passwords.ts')
const upgrades = path.join(import.meta.dirname, 'upgrade')
/** Small databases of releases; each is brought to the schema of today in a database of its own. */
const RELEASES = readdirSync(upgrades)
  .filter(file => file.endsWith('.sql'))
  .map(file => path.join(upgrades, file))
/** Ends what hangs; no test is measured by it. */
const TIMEOUT_MS = 300_000
const PATIENCE_MS = TIMEOUT_MS - 20_000

export default defineConfig({
  test: {
    // One more than there are cores: services that tests start are mostly waited for.
    maxWorkers: 3,
    teardownTimeout: TIMEOUT_MS,
    projects: [
      {
        root,
        resolve: { alias: [{ find: /.*\/password-cost\.ts$/, replacement: cheapPasswords }] },
        plugins: [
          cloudflareTest(async () => ({
            main: './src/index.ts',
            remoteBindings: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              r2Buckets: ['BACKUPS'],
              bindings: {
                ENVIRONMENT: 'test',
                OPERATOR_KEY: 'operator-key-of-the-tests-0123456789',
                SECRETS_KEY: 'secrets-key-of-the-tests-01234567890',
                WALK_RUNS: process.env.WALK_RUNS ?? '4',
                FUZZ_MINUTES: process.env.FUZZ_MINUTES ?? '0',
                FUZZ_SEED: process.env.FUZZ_SEED ?? '1',
                MIGRATIONS: await readD1Migrations(path.join(root, 'drizzle')),
                RELEASES: RELEASES.map(file => ({
                  sql: readFileSync(file, 'utf8'),
                  recorded: JSON.parse(readFileSync(file.replace('.sql', '.json'), 'utf8')),
                })),
              },
              d1Databases: Object.fromEntries(
                [...RELEASES, 'structure'].map((_, at) => [`UPGRADE_${at}`, `upgrade-${at}`]),
              ),
            },
          })),
        ],
        test: {
          name: 'worker',
          // One runtime, one database for many files; each test has its own organization. worker/one-runtime.ts says more.
          isolate: false,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: PATIENCE_MS } },
          provide: { patienceMs: PATIENCE_MS },
          include: ['test/worker/**/*.test.ts'],
          setupFiles: ['./test/worker/setup.ts'],
          globalSetup: ['./test/worker/sign-in/identity-provider.ts'],
        },
      },
      {
        root,
        test: {
          name: 'pure',
          isolate: false,
          include: ['test/pure/**/*.test.ts'],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
        },
      },
      {
        root,
        test: {
          name: 'clients',
          isolate: false,
          include: ['test/clients/**/*.test.ts'],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
        },
      },
    ],
  },
})
