// The process that runs the tests: one vitest for all mutants. The command starts it, and kills it where a mutant never ends.
import path from 'node:path'
import type { UserWorkspaceConfig, ViteUserConfig } from 'vitest/config'
import { createVitest, type TestModule, type TestProject, type Vitest } from 'vitest/node'
import configuration from '../vitest.config.ts'
import { ImportGraph } from './import-graph.ts'
import { type KeptAlive, keptAlive } from './kept-alive.ts'
import type { CoveredFile, Reply, Request, TestRef } from './protocol.ts'
import { allSources, ROOT } from './targets.ts'
import { instrumented, unitsOf } from './units.ts'

type Plugin = NonNullable<ViteUserConfig['plugins']>[number]

/** Files that are read otherwise than they lie on the disk, by absolute path. */
const overlay = new Map<string, string>()
const kept: KeptAlive[] = []
let attempt = 0

const overlaid: Plugin = {
  name: 'mutate:overlay',
  enforce: 'pre',
  load: id => overlay.get(id.split('?')[0] ?? id),
}

const keepAlive: Plugin = {
  name: 'mutate:keep-alive',
  configureVitest: ({ project }) => {
    const { poolRunner } = project.config
    if (!poolRunner) return
    const one = keptAlive(poolRunner)
    kept.push(one)
    project.config.poolRunner = one.initializer
  },
}

function projects(): UserWorkspaceConfig[] {
  const given = (configuration.test?.projects ?? []) as UserWorkspaceConfig[]
  return given
    .filter(({ test }) => test?.name !== 'clients')
    .map(project => {
      const { test } = project
      const isWorker = test?.name === 'worker'
      const before = isWorker ? ['./test/mutate/fresh-runtime.ts'] : []
      return {
        ...project,
        plugins: [...(project.plugins ?? []), overlaid, ...(isWorker ? [keepAlive] : [])],
        test: {
          ...test,
          setupFiles: [...before, ...[test?.setupFiles ?? []].flat(), './test/mutate/setup.ts'],
          ...(!isWorker && { pool: 'threads' as const, isolate: false }),
        },
      }
    })
}

async function newVitest(): Promise<Vitest> {
  const options = { config: false as const, watch: false, root: ROOT, reporters: [{}] }
  return createVitest('test', options, { test: { maxWorkers: 1, projects: projects() } })
}

const graph = new ImportGraph()

/** Both before and after the change: whatever rests on the file is loaded again. */
function changed(vitest: Vitest, files: Iterable<string>): void {
  for (const file of files) {
    vitest.invalidateFile(file)
    for (const above of graph.above(file)) vitest.watcher.invalidates.add(above)
  }
}

const projectNamed = (vitest: Vitest, name: string): TestProject => vitest.getProjectByName(name)

async function cover(vitest: Vitest): Promise<Reply> {
  let unit = 0
  for (const source of allSources()) {
    overlay.set(path.join(ROOT, source.file), instrumented(source, unit))
    unit += unitsOf(source).length
  }
  provide(vitest, 100_000)
  const files: CoveredFile[] = []
  const failed: string[] = []
  for (const spec of await vitest.globTestSpecifications()) {
    const { testModules } = await vitest.runTestSpecifications([spec])
    const module = testModules.find(({ moduleId }) => moduleId === spec.moduleId)
    if (module?.ok()) files.push(coveredBy(spec.project.name, module))
    else failed.push(path.relative(ROOT, spec.moduleId))
    process.stderr.write(`${path.relative(ROOT, spec.moduleId)} ${module?.ok()}\n`)
  }
  const instrumentedFiles = [...overlay.keys()]
  overlay.clear()
  changed(vitest, instrumentedFiles)
  return { type: 'covered', files, failed }
}

function coveredBy(project: string, module: TestModule): CoveredFile {
  return {
    project,
    file: path.relative(ROOT, module.moduleId),
    hits: module.meta().hits ?? [],
    tests: [...module.children.allTests('passed')].map(test => ({
      id: test.id,
      ms: test.diagnostic()?.duration ?? 0,
      hits: test.meta().hits ?? [],
    })),
  }
}

/** A time that the machine can keep; what waits longer will wait for ever. */
function provide(vitest: Vitest, patienceMs: number): void {
  attempt++
  for (const project of vitest.projects) {
    project.provide('attempt', attempt)
    project.provide('patienceMs', patienceMs)
    project.config.testTimeout = 2 * patienceMs
    project.config.hookTimeout = 2 * patienceMs
  }
}

async function attempted(vitest: Vitest, request: Request & { type: 'try' }): Promise<Reply> {
  const file = path.join(ROOT, request.file)
  overlay.set(file, request.text)
  changed(vitest, [file])
  provide(vitest, request.patienceMs)
  let testsRun = 0
  let killedBy: string | null = null
  for (const tests of request.tests) {
    const { killer, count } = await run(vitest, tests)
    testsRun += count
    killedBy = killer
    if (killedBy !== null) break
  }
  overlay.delete(file)
  changed(vitest, [file])
  return { type: 'tried', killedBy, testsRun }
}

async function run(vitest: Vitest, { project, file, ids }: TestRef): Promise<{ killer: string | null; count: number }> {
  const moduleId = path.join(ROOT, file)
  const only = ids.length > 0 ? { testIds: ids } : undefined
  const spec = projectNamed(vitest, project).createSpecification(moduleId, only)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([spec])
  const module = testModules.find(found => found.moduleId === moduleId)
  if (!module) return { killer: `${file}: no result, ${String(unhandledErrors[0])}`, count: 0 }
  const tests = [...module.children.allTests()]
  const count = tests.filter(test => ['passed', 'failed'].includes(test.result().state)).length
  const failed = tests.find(test => test.result().state === 'failed')
  if (failed) return { killer: `${file} > ${failed.fullName}`, count }
  return { killer: module.ok() ? null : `${file}: ${module.errors()[0]?.message ?? 'failed'}`, count }
}

const send = (reply: Reply) => process.send?.(reply)

const vitest = await newVitest()
process.on('message', async (request: Request) => {
  if (request.type === 'cover') send(await cover(vitest))
  else if (request.type === 'try') send(await attempted(vitest, request))
  else {
    for (const one of kept) await one.end()
    await vitest.close()
    process.exit(0)
  }
})
send({ type: 'ready' })
