// Faults that a family's own row takes away if it says the value, and that row may stand in a later chunk.
import { ownValue } from '../../../platform/own-value.ts'
import type { IssueType } from '../contract.ts'
import { targetNamed } from '../targets.ts'
import { type Claim, keptIn } from './claims.ts'
import { wordsIn } from './inherited-values.ts'
import type { Properties } from './row-values.ts'

export interface Owed {
  line: number
  slug: string
  message: string
  /** Those of a value that is missing, unless they are given. */
  fault?: { column: string; issueType: IssueType }
  /** Where the claim is that its family's own row makes; `late` if what that row says itself is asked for. */
  space: 'item' | 'member' | 'late'
  family: string
  /** The target of a family that nobody else asks for the value: its own row must say it. */
  asks?: string
}

export function isTold({ space, slug, asks }: Owed, claim: Claim | undefined): boolean {
  if (!claim) return false
  if (space === 'late') return Object.hasOwn(keptIn<Properties>(claim.shared) ?? {}, slug)
  if (claim.ownLine === null) return false
  if (asks === undefined) return true
  const { fixed, loose } = wordsIn(claim, targetNamed(asks))
  return (ownValue(fixed, slug) ?? ownValue(loose, slug)) != null
}
