// Type paths: names joined by colons, the first of which is the entity type.

const SEGMENTS = /^[A-Za-z0-9_-]+(?::[A-Za-z0-9_-]+)*$/
const LENGTH_MAX = 512

export function isTypePath(text: string, root: string): boolean {
  if (text === root) return true
  return text.startsWith(`${root}:`) && text.length <= LENGTH_MAX && SEGMENTS.test(text)
}
