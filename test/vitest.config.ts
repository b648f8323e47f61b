import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '..')

export default defineConfig({
  test: {
    projects: [
      {
        root,
        plugins: [
          cloudflareTest(async () => ({
            main: './src/index.ts',
            remoteBindings: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ENVIRONMENT: 'test',
                OPERATOR_KEY: 'operator-key-of-the-tests-0123456789',
                SECRETS_KEY: 'secrets-key-of-the-tests-01234567890',
                MIGRATIONS: await readD1Migrations(path.join(root, 'drizzle')),
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          testTimeout: 60_000,
          include: ['test/worker/**/*.test.ts'],
          setupFiles: ['./test/worker/setup.ts'],
          globalSetup: ['./test/worker/sign-in/identity-provider.ts'],
        },
      },
      {
        root,
        test: { name: 'pure', include: ['test/pure/**/*.test.ts'] },
      },
      {
        root,
        test: { name: 'clients', include: ['test/clients/**/*.test.ts'], testTimeout: 20_000 },
      },
    ],
  },
})
