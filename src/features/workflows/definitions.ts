// Definitions of workflows as they are needed, a few at a time: all of them together can be larger than a Worker's memory.
import type { Database } from '../../platform/db/client.ts'
import { DEFINITIONS_MAX_BYTES } from './limits.ts'
import { type DefinedWorkflow, workflowsWithIds } from './store.ts'

/** Deleted between two readings: no path applies. */
const GONE: DefinedWorkflow = { id: '', name: null, paths: [] }

export interface Size {
  id: string
  size: number
}

export class Definitions {
  readonly #db: Database
  readonly #orgId: string
  /** In the order in which they are first needed. */
  readonly #sizes: readonly Size[]
  #held = new Map<string, DefinedWorkflow>()

  constructor(db: Database, orgId: string, sizes: readonly Size[]) {
    this.#db = db
    this.#orgId = orgId
    this.#sizes = sizes
  }

  async of(id: string): Promise<DefinedWorkflow> {
    if (!this.#held.has(id)) await this.#readFrom(this.#sizes.findIndex(size => size.id === id))
    return this.#held.get(id) ?? GONE
  }

  sizeOf(id: string): number {
    return this.#sizes.find(size => size.id === id)?.size ?? 0
  }

  /** This one, and as many of the next ones as fit. */
  async #readFrom(first: number): Promise<void> {
    if (first < 0) return
    const wanted: string[] = []
    let bytes = 0
    for (const { id, size } of this.#sizes.slice(first)) {
      bytes += size
      if (wanted.length > 0 && bytes > DEFINITIONS_MAX_BYTES) break
      wanted.push(id)
    }
    const found = await workflowsWithIds(this.#db, this.#orgId, wanted)
    this.#held = new Map(found.map(workflow => [workflow.id, workflow]))
  }
}
