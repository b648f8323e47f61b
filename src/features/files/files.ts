// The verbs of files (N26): records in the table of entities, content in R2, streamed both ways. A file's content is
// written once: what a load reads can never change under it.
import type { Context } from '../../platform/context.ts'
import { commit } from '../../platform/db/commit/commit.ts'
import type { Write } from '../../platform/db/commit/write.ts'
import { type Entity, entityOf, timeText } from '../../platform/db/row.ts'
import { Fault, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { UPLOAD_MAX_BYTES, UPLOAD_PART_BYTES } from '../../platform/limits.ts'
import { getEntity } from '../entities/entities.ts'
import { BucketWriter, type Stored } from './bucket-writer.ts'
import type { CreateFile } from './contract.ts'
import { FILE } from './kind.ts'
import { readBounded } from './read-bounded.ts'
import { claimUpload, contentKey, forgetUpload, heldUpload, keepPart, partsOf } from './store.ts'

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

export async function createPending(context: Context, body: CreateFile): Promise<Entity> {
  const id = newId()
  const { rows } = await commit(context, [{ op: 'create', kind: FILE, id, data: pendingData(body) }])
  const row = rows[0]
  if (!row) throw new Error('a committed file did not come back')
  return { ...entityOf(row), uploadUrl: uploadUrl(context, id) }
}

/** Record and content at once; where the content is refused there is no record either. */
export async function upload(context: Context, body: CreateFile, content: ReadableStream | null): Promise<Entity> {
  const id = newId()
  const stored = await storeContent(context, id, content)
  const { rows } = await commit(context, [fileWrite(context, id, body, stored)])
  const row = rows[0]
  if (!row) throw new Error('a committed file did not come back')
  return entityOf(row)
}

/** The record of content that lies in R2 already, to be committed with what refers to it. */
export function fileWrite(scope: Pick<FileScope, 'now'>, id: string, body: CreateFile, stored: Stored): Write {
  return { op: 'create', kind: FILE, id, data: { ...pendingData(body), ...readyFields(stored, scope.now) } }
}

async function storeContent(scope: FileScope, id: string, content: ReadableStream | null): Promise<Stored> {
  const writer = new BucketWriter(scope.env.FILES, contentKey(scope.org.id, id))
  try {
    for await (const chunk of content ?? []) {
      await writer.write(chunk as Uint8Array)
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

async function pendingFile(context: Context, id: string): Promise<Entity> {
  const file = await getFile(context, id)
  if (file.status !== 'pending') throw new Fault('conflict', 'The file has its content already.')
  return file
}

export async function putContent(context: Context, id: string, content: ReadableStream | null): Promise<Entity> {
  const file = await pendingFile(context, id)
  const stored = await storeContent(context, id, content)
  return makeReady(context, file, stored)
}

async function makeReady(context: Context, file: Entity, stored: Stored): Promise<Entity> {
  const patch = readyFields(stored, context.now)
  const { rows } = await commit(context, [{ op: 'update', kind: FILE, id: file.id, patch, versions: [file.version] }], {
    after: forgetUpload(file.id),
  })
  const row = rows[0]
  if (!row) throw notFound('file')
  return entityOf(row)
}

export async function putPart(context: Context, id: string, partNumber: number, content: ReadableStream | null) {
  await pendingFile(context, id)
  const bytes = await readBounded(content, UPLOAD_PART_BYTES)
  if (bytes.length === 0) throw invalid([{ path: '', message: 'The part is empty.' }])
  const key = contentKey(context.org.id, id)
  const part = await (await uploadFor(context, id, key)).uploadPart(partNumber, bytes)
  await keepPart(context.db, { id, orgId: context.org.id }, { partNumber, etag: part.etag, size: bytes.length })
  return { partNumber, size: bytes.length }
}

/** Of two first parts that come at once, one upload wins; the other is given up. */
async function uploadFor(context: Context, id: string, key: string): Promise<R2MultipartUpload> {
  const held = await heldUpload(context.db, id)
  if (held) return context.env.FILES.resumeMultipartUpload(key, held)
  const made = await context.env.FILES.createMultipartUpload(key)
  const winner = await claimUpload(context.db, { id, orgId: context.org.id }, made.uploadId, context.now)
  if (winner === made.uploadId) return made
  await made.abort()
  return context.env.FILES.resumeMultipartUpload(key, winner)
}

export async function completeParts(context: Context, id: string): Promise<Entity> {
  const file = await getFile(context, id)
  if (file.status === 'ready') return file
  const [uploadId, parts] = [await heldUpload(context.db, id), await partsOf(context.db, id)]
  const isWhole = parts.every(
    (part, at) => part.partNumber === at + 1 && (at === parts.length - 1 || part.size === UPLOAD_PART_BYTES),
  )
  if (!uploadId || parts.length === 0 || !isWhole) {
    throw new Fault('conflict', 'Parts are missing: number them from 1, each of 8 MiB but the last.')
  }
  const key = contentKey(context.org.id, id)
  // A repeat after a lost answer finds the object complete and the upload gone.
  const object =
    (await context.env.FILES.head(key)) ??
    (await context.env.FILES.resumeMultipartUpload(key, uploadId).complete(parts))
  return makeReady(context, file, { size: object.size, checksum: `etag:${object.etag}` })
}
