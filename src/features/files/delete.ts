// Deletes a file: its record first, then its content. A crash in between leaves content that no record leads to:
// the sweep of the bucket finds it.
import type { Context } from '../../platform/context.ts'
import { Fault } from '../../platform/errors.ts'
import { allKinds } from '../../platform/kind.ts'
import { commitTold, type Told } from '../audit/service.ts'
import { FILE } from './kind.ts'
import { getFile } from './service.ts'
import { forgetParts, forgetUpload, HELD, notHeld, removeContent } from './store.ts'

export async function deleteFile(context: Context, id: string, versions?: readonly number[]): Promise<void> {
  const { fileName } = await getFile(context, id)
  const told = { action: 'file_deleted', subjectId: id, detail: { fileName: String(fileName) } } as const
  const upload = await removeRecord(context, id, versions, told)
  context.defer(removeContent(context.env.FILES, { id, orgId: context.org.id }, upload))
}

/** Deletes the record if nothing needs the file; the caller, or the sweep of the bucket, removes its content and its upload. */
export async function removeRecord(context: Context, id: string, versions?: readonly number[], told?: Told) {
  const file = { id, orgId: context.org.id }
  const work = { before: notHeld(file), after: [forgetUpload(file), forgetParts(file)], returning: false }
  const { after } = await commitTold(context, [{ op: 'delete', kind: FILE, id, versions }], work, told).catch(error => {
    const use = error instanceof Error && useIn(error.message)
    throw use ? new Fault('in_use', use) : error
  })
  return after[0]
}

function useIn(text: string): string | undefined {
  if (text.includes(HELD)) return 'A load that has not ended reads this file.'
  return allKinds().flatMap(({ keepsFile }) => keepsFile?.words(text) ?? [])[0]
}
