// Who imports whom, so that a changed module is loaded again with all that rests on it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './targets.ts'

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

export class ImportGraph {
  readonly #importers = new Map<string, string[]>()

  constructor() {
    for (const folder of ['src', 'test']) {
      for (const name of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
        if (/\.tsx?$/.test(name)) this.#read(path.join(ROOT, folder, name))
      }
    }
  }

  #read(file: string): void {
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const target = path.resolve(path.dirname(file), to)
      this.#importers.set(target, [...(this.#importers.get(target) ?? []), file])
    }
  }

  /** The file and all that rests on it, as absolute paths. */
  above(file: string): Set<string> {
    const found = new Set<string>([file])
    for (const one of found) for (const importer of this.#importers.get(one) ?? []) found.add(importer)
    return found
  }
}
