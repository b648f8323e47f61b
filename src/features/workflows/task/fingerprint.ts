// One text for all values that are deep-equal, whatever the order of their keys. Pure.
import { canonical } from '../../../platform/canonical.ts'

export function fingerprint(value: unknown): string {
  return JSON.stringify(canonical(value))
}
