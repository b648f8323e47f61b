// Type paths: names joined by colons, the first of which is the entity type.
const BELOW = /^(?::[A-Za-z0-9_-]{1,64}){0,8}$/

export function isTypePath(text: string, root: string): boolean {
  return text.startsWith(root) && BELOW.test(text.slice(root.length))
}
