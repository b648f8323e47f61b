// The projects worker and pure as in npm test, on sources with mutants in them. Coverage runs take the test files as they are;
// the others take the files that wrappers.ts has written, in their order.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type UserWorkspaceConfig, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import configuration from '../vitest.config.ts'
import { RUN, SOURCES } from './cache.ts'
import { required } from './environment.ts'
import { ROOT } from './targets.ts'

const isCoverage = required('MUTATE_MODE') === 'cover'
/** What waits longer in an attempt will wait for ever. */
const PATIENCE_MS = 12_000

const mutants: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'mutants',
  enforce: 'pre',
  load: id => {
    const file = path.relative(ROOT, id.split('?')[0] ?? id)
    const overlay = path.join(SOURCES, file)
    return file.startsWith('src') && existsSync(overlay) ? readFileSync(overlay, 'utf8') : undefined
  },
}

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.sort((a, b) => a.moduleId.localeCompare(b.moduleId))
  }
}

const projects = ((configuration.test?.projects ?? []) as UserWorkspaceConfig[])
  .filter(({ test }) => test?.name !== 'clients')
  .map(project => ({
    ...project,
    plugins: [...(project.plugins ?? []), mutants],
    test: {
      ...project.test,
      setupFiles: [
        './test/mutate/mutation.ts',
        ...[project.test?.setupFiles ?? []].flat(),
        ...(isCoverage ? ['./test/mutate/record.ts'] : []),
      ],
      ...(isCoverage
        ? {}
        : {
            include: [path.join(RUN, `${project.test?.name}/*.test.ts`)],
            exclude: [],
            // attempt.ts loads modules anew.
            isolate: false,
            server: { deps: { inline: [/\.cache\/mutate/] } },
            provide: { patienceMs: PATIENCE_MS },
            testTimeout: 2 * PATIENCE_MS,
            hookTimeout: 2 * PATIENCE_MS,
          }),
    },
  }))

export default defineConfig({
  test: { maxWorkers: 1, sequence: { sequencer: InOrder }, reporters: ['./test/mutate/reporter.ts'], projects },
})
