// The verbs of files (N26): records in the table of entities, content in R2, streamed both ways. A file's content is
// written once: what a load reads can never change under it.
import type { Context } from '../../platform/context.ts'
import type { Statement } from '../../platform/db/client.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { quotaRefusal } from '../../platform/db/quota.ts'
import { type Entity, type EntityRow, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault, isRefusal } from '../../platform/errors.ts'
import { requestChunks } from '../../platform/http/bounded-body.ts'
import { withContent } from '../../platform/http/idempotency-key.ts'
import { newId } from '../../platform/ids.ts'
import { CREDENTIAL_CACHE_MS, UPLOAD_MAX_BYTES } from '../../platform/limits.ts'
import { commitTold } from '../audit/service.ts'
import { mustStillBeIn } from '../auth/authenticate.ts'
import { getEntity } from '../entities/service.ts'
import { BucketWriter, type Stored } from './bucket-writer.ts'
import type { CreateFile } from './contract.ts'
import { FILE } from './kind.ts'
import { contentKey, forgetParts, forgetUpload, giveUpForgotten, keyOf, roomFor } from './store.ts'

export type FileScope = Context

const uploadUrl = (context: Context, id: string) => `${context.baseUrl}/files/${id}/content`

function pendingData({ fileName, contentType = 'application/octet-stream' }: CreateFile) {
  return {
    typePath: FILE.name,
    name: fileName,
    fileName,
    contentType,
    status: 'pending',
    size: null,
    checksum: null,
    uploadedOn: null,
  }
}

function readyFields({ size, checksum }: Stored, now: number) {
  return { status: 'ready', size, checksum, uploadedOn: timeText(now) }
}

/** A repeat under the same Idempotency-Key gets the file of the first time, and the address that belongs to it. */
export async function createPending(context: Context, body: CreateFile): Promise<Entity> {
  const claimed = await withContent(context, JSON.stringify(body))
  const { rows } = await commit(claimed, [{ op: 'create', kind: FILE, id: newId(), data: pendingData(body) }], {
    before: [roomFor({ orgId: context.org.id }, 1, 1)],
  })
  const file = fileIn(rows)
  return { ...file, uploadUrl: uploadUrl(context, file.id) }
}

/** Record and content at once; where the content is refused there is no record either. */
export async function upload(context: Context, body: CreateFile, content: ReadableStream | null): Promise<Entity> {
  const id = newId()
  const key = contentKey(context.org.id, id)
  // What comes under a key may be a repeat, which takes up no room: that is known when it is committed.
  if (!context.idempotency) await checkRoom(context, 1, 1)
  const stored = await storeContent(context, key, content)
  const claimed = await withContent(context, JSON.stringify([body, stored.checksum]))
  return decided(context, key, async () => {
    await checkAgain(context)
    const before = [roomFor({ orgId: context.org.id }, stored.size, 1)]
    const told = uploadOf(id, body.fileName, stored)
    const { rows } = await commitTold(claimed, [fileWrite(context, id, body, stored)], { before }, told)
    return fileIn(rows)
  })
}

/** A content may take long to come: a credential that was revoked meanwhile stores nothing (N83). */
async function checkAgain({ env, principal, now }: Context): Promise<void> {
  if (Date.now() - now > CREDENTIAL_CACHE_MS) await mustStillBeIn(env, principal)
}

/** Before anything is stored: a full organization need not send its content to be refused. */
export async function checkRoom(context: Context, bytes: number, files = 0): Promise<void> {
  try {
    await context.db.batch([roomFor({ orgId: context.org.id }, bytes, files)])
  } catch (error) {
    throw quotaRefusal(error instanceof Error ? error.message : '') ?? error
  }
}

/** What is committed decides: content that it does not name is removed again. */
export async function decided(
  context: Context,
  key: string,
  work: () => Promise<Entity>,
  keyIn = (file: Entity) => keyOf(context.org.id, file),
): Promise<Entity> {
  const remove = () => context.env.FILES.delete(key)
  try {
    const made = await work()
    if (keyIn(made) !== key) await remove()
    return made
  } catch (error) {
    // After any other error the record may be there.
    if (isRefusal(error)) await remove()
    throw error
  }
}

/** Files have no change records; the audit trail lists them. */
export const uploadOf = (id: string, fileName: unknown, { size }: Pick<Stored, 'size'>) => ({
  action: 'file_uploaded' as const,
  subjectId: id,
  detail: { fileName: String(fileName), size },
})

function fileIn([row]: readonly (EntityRow | null)[]): Entity {
  if (!row) throw new Error('a committed file did not come back')
  return entityOf(row)
}

/** The record of content that is already in R2, committed together with the entity that refers to it. */
export function fileWrite(scope: Pick<FileScope, 'now'>, id: string, body: CreateFile, stored: Stored): Write {
  return { op: 'create', kind: FILE, id, data: { ...pendingData(body), ...readyFields(stored, scope.now) } }
}

async function storeContent(scope: FileScope, key: string, content: ReadableStream | null): Promise<Stored> {
  const writer = new BucketWriter(scope.env.FILES, key)
  try {
    for await (const chunk of requestChunks(content)) {
      await writer.write(chunk)
      if (writer.size > UPLOAD_MAX_BYTES) {
        throw new Fault(
          'too_large',
          `One request may hold at most ${UPLOAD_MAX_BYTES} bytes; send larger files in parts.`,
        )
      }
    }
    return await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

export function getFile(context: Context, id: string): Promise<Entity> {
  return getEntity(context, FILE, id)
}

export async function pendingFile(context: Context, id: string): Promise<Entity> {
  const file = await getFile(context, id)
  if (file.status !== 'pending') throw hasContent()
  return file
}

export const hasContent = () => new Fault('conflict', 'The file has its content already.')

/** Of several that come at once, the first that ends is the content; `versions`: those that If-Match allows. */
export async function putContent(
  context: Context,
  id: string,
  content: ReadableStream | null,
  versions?: readonly number[],
): Promise<Entity> {
  const file = await pendingFile(context, id)
  if (versions && !versions.includes(file.version)) {
    throw new Fault('precondition_failed', 'The file has changed since the version that If-Match names.')
  }
  await checkRoom(context, 1)
  const contentId = newId()
  const key = contentKey(context.org.id, id, contentId)
  const stored = await storeContent(context, key, content)
  return decided(context, key, async () => {
    await checkAgain(context)
    const { ready, upload } = await makeReady(context, file, stored, { contentId })
    // Parts that had come are not the content.
    context.defer(giveUpForgotten(context.env.FILES, { id, orgId: context.org.id }, upload))
    return ready
  })
}

/** Only another upload changes a pending file. `first`: further conditions; `upload`: the upload that the file had. */
export async function makeReady(
  context: Context,
  file: Entity,
  stored: Stored,
  more: Record<string, unknown> = {},
  first: readonly Statement[] = [],
): Promise<{ ready: Entity; upload: D1Result | undefined }> {
  const own = { id: file.id, orgId: context.org.id }
  const patch = { ...readyFields(stored, context.now), ...more }
  const write: Write = { op: 'update', kind: FILE, id: file.id, patch, versions: [file.version] }
  try {
    // Its parts are forgotten first, so that they do not count twice.
    const before = [...first, forgetParts(own), roomFor(own, stored.size)]
    const told = uploadOf(file.id, file.fileName, stored)
    const { rows, after } = await commitTold(context, [write], { before, after: [forgetUpload(own)] }, told)
    return { ready: fileIn(rows), upload: after[0] }
  } catch (error) {
    throw error instanceof Fault && error.code === 'precondition_failed' ? hasContent() : error
  }
}
