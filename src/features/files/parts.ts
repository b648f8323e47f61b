// A file that comes in parts (N26): each is kept by its number, the last call puts them together.
import type { Context } from '../../platform/context.ts'
import { databaseFor } from '../../platform/db/client.ts'
import { answerOnce } from '../../platform/db/kept-answer.ts'
import type { Entity } from '../../platform/db/row.ts'
import { base64Url } from '../../platform/digest.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { requestBytes } from '../../platform/http/bounded-body.ts'
import { withContent } from '../../platform/http/idempotency-key.ts'
import { UPLOAD_PART_BYTES } from '../../platform/limits.ts'
import { checkRoom, getFile, hasContent, makeReady, pendingFile } from './service.ts'
import { claimPendingUpload, contentKey, heldUpload, keepPendingPart, OTHER_PARTS, partsAre, partsOf } from './store.ts'

const cameTooLate = () =>
  new Fault(
    'conflict',
    'A part came while the file was being put together, and is not in it. Delete this file, and upload it anew.',
  )

const beingCompleted = () =>
  new Fault('conflict', 'The parts are being put together, or have been. Call complete to see what came of it.')

const otherParts = () => new Fault('conflict', 'A part was sent twice at once, and one of both is lost. Send it again.')

/** As R2 numbers its errors. */
const [NO_SUCH_UPLOAD, INVALID_PART] = [10024, 10025]
const isOfR2 = (error: unknown, number: number) => error instanceof Error && error.message.includes(`(${number})`)

/** Sent again, a part takes the place of the earlier one; under one Idempotency-Key it must be the same part. */
export async function putPart(context: Context, id: string, partNumber: number, request: Request) {
  await pendingFile(context, id)
  const bytes = await requestBytes(request, UPLOAD_PART_BYTES)
  if (bytes.length === 0) throw invalid([{ path: '', message: 'The part is empty.' }])
  const { idempotency } = await withContent(context, base64Url(await crypto.subtle.digest('SHA-256', bytes)))
  const file = { id, orgId: context.org.id }
  return answerOnce({ env: context.env, orgId: file.orgId }, idempotency, async () => {
    await checkRoom(context, bytes.length)
    const upload = await uploadFor(context, id)
    const part = await upload.uploadPart(partNumber, bytes).catch(error => {
      throw isOfR2(error, NO_SUCH_UPLOAD) ? beingCompleted() : error
    })
    const isKept = await keepPendingPart(context.db, file, { partNumber, etag: part.etag, size: bytes.length })
    if (!isKept) throw hasContent()
    return { partNumber, size: bytes.length }
  })
}

/** Of two first parts that come at once, one upload wins; the other is given up. */
async function uploadFor(context: Context, id: string): Promise<R2MultipartUpload> {
  const file = { id, orgId: context.org.id }
  const key = contentKey(file.orgId, id)
  const held = await heldUpload(context.db, file)
  if (held) return context.env.FILES.resumeMultipartUpload(key, held)
  const made = await context.env.FILES.createMultipartUpload(key)
  const winner = await claimPendingUpload(context.db, file, made.uploadId, context.now)
  if (winner === made.uploadId) return made
  await made.abort()
  if (winner === undefined) {
    await pendingFile(context, id)
    throw hasContent()
  }
  return context.env.FILES.resumeMultipartUpload(key, winner)
}

/** One of several simultaneous calls puts the parts together; the others find it done. */
export async function completeParts(context: Context, id: string): Promise<Entity> {
  const file = await getFile(context, id)
  if (file.status === 'ready') return file
  try {
    return await putTogether(context, file)
  } catch (error) {
    const present = await getFile(context, id)
    if (present.status === 'ready') return present
    throw error
  }
}

async function putTogether(context: Context, file: Entity): Promise<Entity> {
  const own = { id: file.id, orgId: context.org.id }
  // A replica may not know of the last parts yet, and what is there would look whole.
  const db = databaseFor(context.env, own.orgId, null)
  const [uploadId, parts] = [await heldUpload(db, own), await partsOf(db, own)]
  const isWhole = parts.every(
    (part, at) => part.partNumber === at + 1 && (at === parts.length - 1 || part.size === UPLOAD_PART_BYTES),
  )
  if (!uploadId || parts.length === 0 || !isWhole) {
    throw new Fault('conflict', 'Parts are missing: number them from 1, each of 8 MiB but the last.')
  }
  const { FILES } = context.env
  const key = contentKey(own.orgId, own.id)
  // A repeat after a lost answer finds the object complete and the upload gone.
  const object =
    (await FILES.head(key)) ??
    (await FILES.resumeMultipartUpload(key, uploadId)
      .complete(parts)
      .catch(async error => {
        // Another call has just completed it, and has yet to update the record.
        const made = await FILES.head(key)
        if (!made) throw isOfR2(error, INVALID_PART) ? otherParts() : error
        return made
      }))
  if (object.size !== parts.reduce((sum, { size }) => sum + size, 0)) throw cameTooLate()
  const stored = { size: object.size, checksum: `etag:${object.etag}` }
  const { ready } = await makeReady(context, file, stored, {}, [partsAre(own, parts)]).catch(error => {
    throw error instanceof Error && error.message.includes(OTHER_PARTS) ? cameTooLate() : error
  })
  return ready
}
