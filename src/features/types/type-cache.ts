// The types of the organizations that an isolate has served last, bounded by what they take (N77).
import type { TypeTable } from './table.ts'

export class TypeCache {
  readonly #maxBytes: number
  /** The one read longest ago first. */
  readonly #tables = new Map<string, TypeTable>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(orgId: string): TypeTable | undefined {
    return this.#tables.get(orgId)
  }

  /** Forgets those read longest ago until the new one fits; one that is larger than the bound is alone. */
  set(orgId: string, types: TypeTable): void {
    this.#forget(orgId)
    this.#tables.set(orgId, types)
    this.#bytes += types.bytes
    for (const known of this.#tables.keys()) {
      if (this.#bytes <= this.#maxBytes || known === orgId) return
      this.#forget(known)
    }
  }

  #forget(orgId: string): void {
    this.#bytes -= this.#tables.get(orgId)?.bytes ?? 0
    this.#tables.delete(orgId)
  }
}
