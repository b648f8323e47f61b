import type { Scope } from './evaluation.ts'
import { asData, isObject } from './values.ts'

/** References as dotted paths into an object: `{event.newData.name}`, `{event.items.0.name}`. Own properties only. */
export function pathScope(root: object): Scope {
  return name => {
    let value: unknown = root
    for (const key of name.split('.')) {
      if (!isObject(value) || key === '__proto__' || !Object.hasOwn(value, key)) return undefined
      value = (value as Record<string, unknown>)[key]
    }
    return asData(value)
  }
}
