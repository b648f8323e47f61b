// What a start remembers of the organization `demo`: a file beside the database that knows the key. In .dev.vars it would make
// Wrangler restart. One that cannot be read is as good as none.
import { readFileSync, writeFileSync } from 'node:fs'

export interface Demo {
  apiKey: string
  email: string
  password: string
  /** False while what a first start shows is being written; files of earlier starts do not say it, and were written behind it. */
  isFilled?: boolean
}

export class DemoMemory {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  known(): Demo | undefined {
    try {
      const demo = JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Demo> | null
      const isWhole = [demo?.apiKey, demo?.email, demo?.password].every(each => typeof each === 'string')
      return isWhole ? (demo as Demo) : undefined
    } catch {
      return undefined
    }
  }

  remember(demo: Demo): Demo {
    writeFileSync(this.#file, JSON.stringify(demo), { mode: 0o600 })
    return demo
  }
}
