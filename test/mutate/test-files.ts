import { readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './targets.ts'

/** Long ones, which search by chance or go through everything: what they alone would notice counts as survived. */
const LONG = /random|differential|model|upgrade|\/walk\/|\/faults/

/** Of the projects worker and pure, from the root of the project. */
export function testFiles(): string[] {
  return ['test/worker', 'test/pure'].flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts'))
      .map(name => path.posix.join(folder, name.split(path.sep).join('/')))
      .filter(file => !LONG.test(file))
      .sort(),
  )
}
