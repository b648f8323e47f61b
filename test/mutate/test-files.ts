import { readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './targets.ts'

/** Of the projects worker and pure, from the root of the project. */
export function testFiles(): string[] {
  return ['test/worker', 'test/pure'].flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts'))
      .map(name => path.posix.join(folder, name.split(path.sep).join('/')))
      .sort(),
  )
}
