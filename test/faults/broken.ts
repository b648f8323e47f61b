// Builds that are broken on purpose, one line each: `npm run faults -- --broken commit` must end with violations. The line is changed while the
// build is made, and put back at once.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

interface Mutation {
  file: string
  line: string
  broken: string
}

export const MUTATIONS: Record<string, Mutation> = {
  /** The key of a request is not claimed with its writes: a repeat does them again. */
  commit: {
    file: 'src/platform/db/commit/commit.ts',
    line: ' : takeClaim(scope)',
    broken: ' : takeClaim({ ...scope, idempotency: undefined })',
  },
  /** The place in the outbox moves before what comes of the events is recorded. */
  outbox: {
    file: 'src/features/events/dispatch.ts',
    line: '  if (!(await recorded(db, orgId, writes, before, after, now))) return true',
    broken:
      '  if (!(await recorded(db, orgId, [], before, [], now)) || !(await giveWay().then(() => scheduler.wait(2000)).then(() => recorded(db, orgId, writes, [], after, now)))) return true',
  },
  /** A task that has ended takes another callback. */
  callback: {
    file: 'src/features/workflows/task/machine.ts',
    line: '  if (state.outcome || state.kept) {',
    broken: '  if (state.kept) {',
  },
}

/** Makes something of a broken tree. */
export function withBroken<T>(name: string | undefined, make: () => T): T {
  if (name === undefined) return make()
  const mutation = MUTATIONS[name]
  if (!mutation) throw new Error(`--broken takes ${Object.keys(MUTATIONS).join(', ')}`)
  const file = path.join(root, mutation.file)
  const text = readFileSync(file, 'utf8')
  if (text.split(mutation.line).length !== 2) throw new Error(`${mutation.file} does not hold the line once`)
  try {
    writeFileSync(file, text.replace(mutation.line, mutation.broken))
    return make()
  } finally {
    writeFileSync(file, text)
  }
}
