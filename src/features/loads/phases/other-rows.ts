// What other rows of the file say of the drafts of one commit: the words for their families, what a family's own row adds in a
// later chunk, and whether any row adds a family to its assortment. All of it lies in the claims.
import type { Database } from '../../../platform/db/client.ts'
import { type Claim, keptIn, memberKey, type Space } from '../drafts/claims.ts'
import { type Draft, draftKey } from '../drafts/draft.ts'
import { type FamilyWords, wordsIn } from '../drafts/inherited-values.ts'
import type { Properties } from '../drafts/row-values.ts'
import { readClaims } from '../store/claims.ts'
import type { Load } from '../store/loads.ts'
import { isMember, type LoadTarget } from '../targets.ts'

export interface OtherRows {
  /** With all that the file says of them. */
  drafts: readonly Draft[]
  wordsFor(draft: Draft): FamilyWords | undefined
  isAdded(draft: Draft): boolean
}

function familyKeyOf({ target, assortmentId = '', key, family = key }: Draft): string {
  return isMember(target) ? memberKey(assortmentId, family) : family
}

export async function readOtherRows(db: Database, { id, state }: Load, drafts: readonly Draft[]): Promise<OtherRows> {
  const read = async (space: Space, some: readonly Draft[], keyOf: (draft: Draft) => string) => {
    const keys = [...new Set(some.map(keyOf))]
    const claims = keys.length > 0 ? await readClaims(db, id, space, keys) : []
    return new Map(claims.map(claim => [claim.key, claim]))
  }
  const families = drafts.filter(({ family }) => family === undefined)
  const inheriting = state.inherits ? drafts : []
  const [items, members, late, added] = await Promise.all([
    read(
      'item',
      inheriting.filter(({ target }) => !isMember(target)),
      familyKeyOf,
    ),
    read(
      'member',
      inheriting.filter(({ target }) => isMember(target)),
      familyKeyOf,
    ),
    read('late', state.hasLate ? families : [], draftKey),
    read(
      'added',
      families.filter(({ membership }) => membership === 'keep'),
      familyKeyOf,
    ),
  ])
  const words = new Map<Claim, Map<LoadTarget, FamilyWords>>()
  return {
    drafts: late.size === 0 ? drafts : drafts.map(draft => withLate(draft, late.get(draftKey(draft)))),
    wordsFor: draft => {
      const claim = (isMember(draft.target) ? members : items).get(familyKeyOf(draft))
      if (!claim) return undefined
      const known = words.get(claim) ?? new Map<LoadTarget, FamilyWords>()
      words.set(claim, known)
      const made = known.get(draft.target) ?? wordsIn(claim, draft.target)
      known.set(draft.target, made)
      return made
    },
    isAdded: draft => draft.family === undefined && added.has(familyKeyOf(draft)),
  }
}

function withLate(draft: Draft, claim: Claim | undefined): Draft {
  if (!claim || draft.family !== undefined) return draft
  return { ...draft, set: { ...draft.set, ...keptIn<Properties>(claim.shared) } }
}
