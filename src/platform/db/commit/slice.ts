// Writes that fit into one bound value together.
import { textBytes } from '../../json-size.ts'
import { COMMIT_SLICE_MAX_BYTES } from '../../limits.ts'
import type { Statement } from '../client.ts'
import { createStatements, deleteStatements, type Scope, updateStatements } from './statements.ts'
import { type CreateWrite, type DeleteWrite, fieldsOf, type Placed, type UpdateWrite, type Write } from './write.ts'

/** What a write takes beside its fields. */
const OVERHEAD_BYTES = 128

export class Slice {
  readonly writes: Placed[] = []
  readonly creates: Placed<CreateWrite>[] = []
  readonly updates: Placed<UpdateWrite>[] = []
  readonly deletes: Placed<DeleteWrite>[] = []

  add(write: Placed): void {
    this.writes.push(write)
    if (write.op === 'create') this.creates.push(write)
    else if (write.op === 'update') this.updates.push(write)
    else this.deletes.push(write)
  }

  statements(scope: Scope, returning: boolean): Statement[] {
    const { creates, updates, deletes } = this
    return [
      ...(creates.length ? createStatements(scope, creates) : []),
      ...(updates.length ? updateStatements(scope, updates, returning) : []),
      ...(deletes.length ? deleteStatements(scope, deletes) : []),
    ]
  }
}

export function sliced(writes: readonly Write[]): Slice[] {
  let slice = new Slice()
  const slices = [slice]
  let bytes = 0
  for (const [index, write] of writes.entries()) {
    const json = JSON.stringify(fieldsOf(write))
    const size = OVERHEAD_BYTES + textBytes(json)
    if (bytes > 0 && bytes + size > COMMIT_SLICE_MAX_BYTES) {
      slice = new Slice()
      slices.push(slice)
      bytes = 0
    }
    bytes += size
    slice.add({ ...write, index, json })
  }
  return slices
}
