// One text for all values that are deep-equal; the order of keys does not matter.
import { canonical } from '../../../platform/canonical.ts'

export function fingerprint(value: unknown): string {
  return JSON.stringify(canonical(value))
}
