import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:browser`: needs a browser and a free port, so that it is no part of `npm test`. */
export default defineConfig({
  test: {
    name: 'browser',
    root: path.resolve(import.meta.dirname, '../..'),
    include: ['test/browser/*.test.ts'],
    // Each file starts the service, which lays out the same assets anew.
    fileParallelism: false,
  },
})
