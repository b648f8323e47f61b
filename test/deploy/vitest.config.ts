import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:deploy`: starts Wrangler again and again, so that it is no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'deploy',
    root: path.resolve(import.meta.dirname, '../..'),
    include: ['test/deploy/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
})
