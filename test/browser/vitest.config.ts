import path from 'node:path'
import { defineConfig } from 'vitest/config'

// The command has laid them out before.
process.env.ASSETS_ARE_LAID_OUT = '1'

/** `npm run test:browser`: needs a browser and a free port, so that it is no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'browser',
    root: path.resolve(import.meta.dirname, '../..'),
    include: ['test/browser/*.test.ts'],
    maxWorkers: 2,
    hookTimeout: 320_000,
    testTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
