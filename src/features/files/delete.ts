// Deletes a file: its record first, then its content. A crash in between leaves content that no record leads to.
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import { Fault } from '../../platform/errors.ts'
import { getFile } from './files.ts'
import { FILE } from './kind.ts'
import { contentKey, forgetUpload, heldUpload, isAwaitedByLoad, removeContent } from './store.ts'

export async function deleteFile(context: Context, id: string, versions?: readonly number[]): Promise<void> {
  await getFile(context, id)
  if (await isAwaitedByLoad(context.db, context.org.id, id)) {
    throw new Fault('in_use', 'A load that has not ended reads this file.')
  }
  const uploadId = await heldUpload(context.db, id)
  await commit(context, [{ op: 'delete', kind: FILE, id, versions }], {
    after: forgetUpload(id),
    returning: false,
  })
  await removeContent(context.env.FILES, contentKey(context.org.id, id), uploadId)
}
