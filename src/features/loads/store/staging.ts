// What the steps of a load hand to each other through R2: the types as they were at the start, and each chunk's drafts
// and issues. A repeated step writes the same issues again.
import { deflateSync, inflateSync } from 'node:zlib'
import { NOT_THERE } from '../../../platform/not-there.ts'
import type { Issue } from '../contract.ts'
import type { Draft } from '../drafts/draft.ts'
import { type Packed, pack, unpack } from '../drafts/draft-packing.ts'
import type { Property } from '../rows/property.ts'

export interface StagedChunk {
  rows: number
  drafts: Draft[]
  /** Entities that rows of it are about, and that no draft is left of. */
  unchanged?: number
  /** Whether none of them was stored when they were read, and none needs what is. */
  areNew?: boolean
}

/** A fifth of the bytes go there and back; to make them fewer still takes longer than it saves. */
const QUICKLY = { level: 1 }

export class Staging {
  readonly #bucket: R2Bucket
  readonly #folder: string
  readonly #prefix: string

  constructor(bucket: R2Bucket, orgId: string, loadId: string, reading: '' | 'again-' = '') {
    this.#bucket = bucket
    this.#folder = `${orgId}/loads/${loadId}/`
    this.#prefix = this.#folder + reading
  }

  async #get(name: string): Promise<R2ObjectBody> {
    const object = await this.#bucket.get(this.#prefix + name)
    if (!object) throw new Error(`the load has lost ${name}`)
    return object
  }

  async #put(name: string, value: string | Uint8Array, options?: R2PutOptions): Promise<void> {
    await this.#bucket.put(this.#prefix + name, value, options)
  }

  writeTypes(types: Record<string, Property[]>): Promise<void> {
    return this.#put('types', JSON.stringify(types))
  }

  async readTypes(): Promise<Record<string, Property[]>> {
    return (await this.#get('types')).json()
  }

  /** Whoever reads a chunk again may find other rows to be as they are stored: what was put away first holds, with its counts. */
  writeChunk(chunk: number, staged: StagedChunk): Promise<void> {
    const { drafts, ...more } = staged
    const text = JSON.stringify({ ...more, packed: pack(drafts) })
    return this.#put(`chunk-${chunk}`, deflateSync(text, QUICKLY), { onlyIf: NOT_THERE })
  }

  async readChunk(chunk: number): Promise<StagedChunk> {
    type Kept = Omit<StagedChunk, 'drafts'> & { packed: Packed }
    const bytes = await (await this.#get(`chunk-${chunk}`)).arrayBuffer()
    const { packed, ...kept } = JSON.parse(inflateSync(bytes).toString()) as Kept
    return { ...kept, drafts: unpack(packed) }
  }

  /** The keys of all rows before this byte; see drafts/seen-keys.ts. */
  writeKeys(start: number, numbers: Float64Array): Promise<void> {
    return this.#put(`keys-${start}`, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
  }

  async readKeys(start: number): Promise<Float64Array | undefined> {
    const object = await this.#bucket.get(`${this.#prefix}keys-${start}`)
    return object ? new Float64Array(await object.arrayBuffer()) : undefined
  }

  /** A chunk's issues lie in parts that follow each other; `part` counts from 0. */
  writeIssues(chunk: number, issues: readonly Issue[], part = 0): Promise<void> {
    return this.#put(`issues-${chunk}-${part}`, JSON.stringify(issues))
  }

  async *readIssues(chunk: number): AsyncGenerator<Issue[]> {
    for (let part = 0; ; part++) {
      const object = await this.#bucket.get(`${this.#prefix}issues-${chunk}-${part}`)
      // The first release kept them in one part, without a number.
      const found = object ?? (part === 0 ? await this.#bucket.get(`${this.#prefix}issues-${chunk}`) : null)
      // Who comes late, when the load has been cleaned up, must not write a report without them.
      if (!found && part === 0) throw new Error(`the load has lost the issues of chunk ${chunk}`)
      if (!found) return
      yield await found.json<Issue[]>()
    }
  }

  async dropIssues(chunk: number): Promise<void> {
    const { objects } = await this.#bucket.list({ prefix: `${this.#prefix}issues-${chunk}-` })
    if (objects.length > 0) await this.#bucket.delete(objects.map(object => object.key))
  }

  /** True when nothing is left. */
  async forget(limit: number): Promise<boolean> {
    const { objects, truncated } = await this.#bucket.list({ prefix: this.#folder, limit })
    if (objects.length > 0) await this.#bucket.delete(objects.map(object => object.key))
    return !truncated
  }
}
