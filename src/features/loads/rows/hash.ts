// A short text in place of a long one that is only compared. Pure.

/** Tells what differs apart, save for one pair in four billion of the same length: good for warnings, and for nothing else. */
export class Hash {
  #hash = 0x811c9dc5
  #length = 0

  add(value: unknown): void {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    let hash = this.#hash
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    this.#hash = Math.imul(hash ^ 0x1f, 0x01000193)
    this.#length += text.length
  }

  get text(): string {
    return `${this.#hash >>> 0}.${this.#length}`
  }
}

export function hashOf(...values: unknown[]): string {
  const hash = new Hash()
  for (const value of values) hash.add(value)
  return hash.text
}
