// What a family's own row has to say (drafts/owed.ts): it may stand anywhere in the file.

import { LOAD_CHUNK_MAX_ISSUES } from '../../../platform/limits.ts'
import type { LoadScope } from '../checkpoint.ts'
import { type Claim, keptIn, plainClaim } from '../drafts/claims.ts'
import { isTold, type Owed } from '../drafts/owed.ts'
import type { Issues } from '../issues.ts'
import { claimsAfter, readClaims } from '../store/claims.ts'

const PAGE = 1000

export function owedClaim(owed: Owed): Claim {
  const { line, slug, space, family, asks = '' } = owed
  const key = [String(line).padStart(12, '0'), slug, space, family, asks].join('\n')
  return plainClaim('owed', key, line, owed)
}

/** At the end of the file, where it is known which families have such a row. */
export async function checkOwed({ db, alive }: LoadScope, loadId: string, issues: Issues): Promise<void> {
  for (let after = ''; issues.errors < LOAD_CHUNK_MAX_ISSUES; ) {
    const page = await claimsAfter(db, loadId, 'owed', 'option', after, PAGE)
    const owed = page.flatMap(({ shared }) => keptIn<Owed>(shared) ?? [])
    for (const space of ['item', 'member', 'late'] as const) {
      const some = owed.filter(each => each.space === space)
      const found = await readClaims(db, loadId, space, [...new Set(some.map(({ family }) => family))])
      const claims = new Map(found.map(claim => [claim.key, claim]))
      for (const each of some) {
        const { line, slug, message, fault = { column: slug, issueType: 'MISSING_DATA' } } = each
        if (!isTold(each, claims.get(each.family))) issues.error(line, fault.column, fault.issueType, message)
      }
    }
    const last = page.at(-1)
    if (!last) return
    after = last.key
    await alive()
  }
}
