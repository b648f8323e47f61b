// From what a caller sent to what is written (N14): what only the service sets is dropped, so that a fetched entity can be
// sent back as it is. Faults are collected, not thrown, so that a batch can name them all. Pure.

import { canonicalFields } from '../../platform/canonical.ts'
import type { Properties } from '../../platform/db/commit/write.ts'
import { Fault, type FieldError, invalid } from '../../platform/errors.ts'
import { jsonBytes } from '../../platform/json-size.ts'
import { ignoredNames, type Kind } from '../../platform/kind.ts'
import { ENTITY_MAX_BYTES } from '../../platform/limits.ts'

export function createdData(kind: Kind, body: Properties): Properties {
  const sent = Object.entries(writable(kind, body)).filter(([, value]) => value !== null)
  return { typePath: kind.name, ...Object.fromEntries(sent) }
}

export function updatePatch(kind: Kind, body: Properties): Properties {
  return writable(kind, body)
}

/** Every entity has a type path, so `null` cannot clear it: a create takes the root, an update keeps what is stored. */
const isUnset = (name: string, value: unknown) => value === undefined || (name === 'typePath' && value === null)

function writable(kind: Kind, body: Properties): Properties {
  const ignored = ignoredNames(kind)
  const sent = Object.entries(body).filter(([name, value]) => !ignored.has(name) && !isUnset(name, value))
  return canonicalFields(Object.fromEntries(sent))
}

/** Throws for all of them at once; `place` is where an entity stands in the body. */
export function checkAll(kind: Kind, all: readonly Properties[], place: (index: number) => string): void {
  const faults = all.flatMap((fields, index): FieldError[] =>
    (kind.rules?.(fields) ?? []).map(({ path, message }) => ({ path: place(index) + path, message })),
  )
  if (faults.length) throw invalid(faults)
  const tooLarge = all.findIndex(fields => jsonBytes(fields) > ENTITY_MAX_BYTES)
  if (tooLarge >= 0) {
    throw new Fault('too_large', `An entity may hold at most ${ENTITY_MAX_BYTES} bytes.`, {
      errors: [{ path: place(tooLarge), message: `The entity holds ${jsonBytes(all[tooLarge] ?? {})} bytes.` }],
    })
  }
}
