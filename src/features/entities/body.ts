// From what a caller sent to what is written (N14): what only the service sets is dropped, so that a fetched entity can be
// sent back as it is. Pure.
import type { Properties } from '../../platform/db/write.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { COMMON_READ_ONLY, type Kind, relationNames } from '../../platform/kind.ts'
import { ENTITY_MAX_BYTES } from '../../platform/limits.ts'

export function createdData(kind: Kind, body: Properties): Properties {
  const sent = Object.entries(writable(kind, body)).filter(([, value]) => value !== null)
  const data = { typePath: kind.name, ...Object.fromEntries(sent) }
  checkRules(kind, data)
  checkSize(data)
  return data
}

export function updatePatch(kind: Kind, body: Properties): Properties {
  const patch = writable(kind, body)
  checkRules(kind, patch)
  checkSize(patch)
  return patch
}

function writable(kind: Kind, body: Properties): Properties {
  const ignored = new Set<string>([...COMMON_READ_ONLY, ...kind.readOnly, ...relationNames(kind)])
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => !ignored.has(name) && value !== undefined))
}

function checkRules(kind: Kind, fields: Properties): void {
  const faults = kind.rules?.(fields) ?? []
  if (faults.length) throw invalid(faults)
}

function checkSize(fields: Properties): void {
  const bytes = new TextEncoder().encode(JSON.stringify(fields)).length
  if (bytes > ENTITY_MAX_BYTES) {
    throw new Fault('too_large', `An entity may hold at most ${ENTITY_MAX_BYTES} bytes; this one holds ${bytes}.`)
  }
}
