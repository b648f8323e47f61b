// Removes files that have waited for their content for a day (N26).

import { background } from '../../platform/background.ts'
import { inEachDatabase } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Env } from '../../platform/env.ts'
import { isRefusal } from '../../platform/errors.ts'
import { inPages } from '../../platform/in-pages.ts'
import { UPLOAD_PENDING_MS } from '../../platform/limits.ts'
import { FILE } from './kind.ts'
import { forgetParts, forgetUpload, removeContent, type StaleFile, staleFiles } from './store.ts'

const FILES_A_PAGE = 100

export async function sweepFiles(env: Env, now: number): Promise<void> {
  await inEachDatabase(env, db =>
    inPages(
      FILES_A_PAGE,
      limit => staleFiles(db, now - UPLOAD_PENDING_MS, limit),
      async files => {
        for (const file of files) await removeStale(env, file)
      },
    ),
  )
}

async function removeStale(env: Env, { id, orgId, version }: StaleFile): Promise<void> {
  const context = background(env, { id: orgId, slug: '' }, { id: 'sweep', type: 'operator' })
  const file = { id, orgId }
  let upload: D1Result | undefined
  try {
    const { after } = await commit(context, [{ op: 'delete', kind: FILE, id, versions: [version] }], {
      after: [forgetUpload(file), forgetParts(file)],
      returning: false,
    })
    upload = after[0]
  } catch (error) {
    // Its content has come meanwhile.
    if (isRefusal(error)) return
    throw error
  }
  await removeContent(env.FILES, file, upload)
  await context.settled()
}
