// What is mutated: the database layer, the stores and the pure files of the features, the machine of tasks.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')

const ALWAYS = [
  /^src\/platform\/db\//,
  /^src\/features\/.*(\/store\/.*|store)\.ts$/,
  /^src\/features\/loads\/(csv|rows|drafts)\//,
  /^src\/features\/workflows\/task\//,
]
/** Tables are held by migrations, and index names by the plans that tests look at. */
const NEVER = /^src\/platform\/db\/schema\/|\.d\.ts$/
/** As files say of themselves in their first lines. */
const PURE = /^\/\/.*(\bPure\b|\bNo I\/O\b)/m

export interface Source {
  /** From the root of the project. */
  file: string
  text: string
}

export function targets(): Source[] {
  return readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map(name => path.posix.join('src', name.split(path.sep).join('/')))
    .filter(file => /^src\/(features|platform)\/.*\.ts$/.test(file) && !NEVER.test(file))
    .sort()
    .map(file => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
    .filter(isTarget)
}

function isTarget({ file, text }: Source): boolean {
  if (ALWAYS.some(pattern => pattern.test(file))) return true
  return /^src\/features\//.test(file) && PURE.test(text)
}
