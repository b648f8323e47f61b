// A short text in place of a long one that is only compared. Pure.

/** Tells what differs apart, save for one pair in four billion of the same length: good for warnings, and for nothing else. */
export function hashOf(values: readonly unknown[]): string {
  let hash = 0x811c9dc5
  let length = 0
  for (const value of values) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ 0x1f, 0x01000193)
    length += text.length
  }
  return `${(hash >>> 0).toString(36)}.${length}`
}
