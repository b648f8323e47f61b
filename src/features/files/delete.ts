// Deletes a file: its record first, then its content. A crash in between leaves content that no record leads to:
// the sweep of the bucket finds it.
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { Fault } from '../../platform/errors.ts'
import { allKinds } from '../../platform/kind.ts'
import { recordAudit } from '../audit/audit.ts'
import { getFile } from './files.ts'
import { FILE } from './kind.ts'
import { forgetParts, forgetUpload, HELD, notHeld, removeContent } from './store.ts'

export async function deleteFile(context: Context, id: string, versions?: readonly number[]): Promise<void> {
  const { fileName } = await getFile(context, id)
  const file = { id, orgId: context.org.id }
  const upload = await removeRecord(context, id, versions)
  const { org, actor } = context
  const detail = { fileName: String(fileName) }
  // Before the content goes: a repeat finds no file any more that it could tell of.
  await recordAudit(context, { orgId: org.id, action: 'file_deleted', actor, subjectId: id, detail })
  context.defer(removeContent(context.env.FILES, file, upload))
}

/** Where nothing needs the file any more; its content, and the upload it tells of, are left for the caller, or for the sweep of the bucket. */
export async function removeRecord(context: Context, id: string, versions?: readonly number[]) {
  const file = { id, orgId: context.org.id }
  const { after } = await commit(context, [{ op: 'delete', kind: FILE, id, versions }], {
    before: notHeld(file),
    after: [forgetUpload(file), forgetParts(file)],
    returning: false,
  }).catch(error => {
    const use = error instanceof Error && useIn(error.message)
    throw use ? new Fault('in_use', use) : error
  })
  return after[0]
}

function useIn(text: string): string | undefined {
  if (text.includes(HELD)) return 'A load that has not ended reads this file.'
  return allKinds().flatMap(({ keepsFile }) => keepsFile?.words(text) ?? [])[0]
}
