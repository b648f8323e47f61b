// Type paths (names joined by colons, the first of which is the entity type) and federatedIds: what they may look like.

import { KEY_TEXT_MAX_LENGTH } from '../../../platform/limits.ts'

const BELOW = /^(?::[A-Za-z0-9_-]{1,64}){0,8}$/

export function isTypePath(text: string, root: string): boolean {
  return text.startsWith(root) && BELOW.test(text.slice(root.length))
}

const CONTROL = /\p{Cc}/u

/** What a federatedId may be. */
export function isKey(text: string): boolean {
  return text.length <= KEY_TEXT_MAX_LENGTH && !CONTROL.test(text)
}
