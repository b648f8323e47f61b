// The contents of files on their way out of an organization and back into it: in pieces of the size of an upload's parts, so that
// memory does not grow with them.

import { background } from '../../platform/background.ts'
import type { OpenContext } from '../../platform/context.ts'
import { databaseFor, type Statement } from '../../platform/db/client.ts'
import { removeRestored } from '../../platform/db/commit/restored-rows.ts'
import { type Entity, entityOf } from '../../platform/db/row.ts'
import { Fault, invalid } from '../../platform/errors.ts'
import { UPLOAD_PART_BYTES } from '../../platform/limits.ts'
import { OPERATOR } from '../audit/entry.ts'
import { type Download, download } from '../files/download.ts'
import { FILE } from '../files/kind.ts'
import {
  claimUpload,
  forgetParts,
  forgetUpload,
  heldUpload,
  keepPart,
  keyOf,
  partStatement,
  partsOf,
} from '../files/store.ts'
import { organization } from '../organizations/service.ts'
import { restoreNamed, shownRestore, stepped, turnOf } from './restore.ts'
import * as store from './store/restores.ts'

export async function contentOf(context: OpenContext, slug: string, id: string, headers: Headers): Promise<Download> {
  const org = await organization(context, slug)
  return download(background(context.env, org, OPERATOR), id, headers)
}

export interface Piece {
  fileId: string
  /** From 1 on. */
  number: number
  isLast: boolean
  /** It was deleted while the archive was made. */
  isGone: boolean
  bytes: Uint8Array<ArrayBuffer>
}

export async function takeContent(context: OpenContext, id: string, part: number, piece: Piece) {
  const { env, now } = context
  const row = turnOf(await restoreNamed(context, id), part)
  if (!row) return shownRestore(await restoreNamed(context, id))
  const moved = { nextPart: part + 1, touchedOn: now }
  if (piece.isGone) return stepped(env, row, moved, removeRestored(row.orgId, [piece.fileId]))
  const file = await fileOf(context, row.orgId, piece.fileId)
  if (!piece.isLast && piece.bytes.length !== UPLOAD_PART_BYTES) {
    throw invalid([{ path: '', message: `Every piece but the last holds ${UPLOAD_PART_BYTES} bytes.` }])
  }
  const isWhole = piece.number === 1 && piece.isLast
  const done = isWhole
    ? await keepWhole(context, row.orgId, file, piece)
    : await keepPiece(context, row.orgId, file, piece)
  return stepped(env, row, moved, done)
}

async function fileOf({ env }: OpenContext, orgId: string, id: string): Promise<Entity> {
  const row = await store.entityRow(env, orgId, FILE.name, id)
  if (!row) throw new Fault('conflict', 'The archive has not told of this file yet.')
  return entityOf(row)
}

const whole = (orgId: string, id: string, size: number, etag: string): Statement[] => [
  partStatement({ id, orgId }, { partNumber: store.WHOLE, etag, size }),
]

async function keepWhole({ env }: OpenContext, orgId: string, file: Entity, { bytes }: Piece): Promise<Statement[]> {
  checkSize(file, bytes.length)
  const sum = `sha256:${hex(await crypto.subtle.digest('SHA-256', bytes))}`
  if (String(file.checksum).startsWith('sha256:') && file.checksum !== sum) {
    throw invalid([{ path: '', message: 'The content does not have the checksum of the file.' }])
  }
  const object = await env.FILES.put(keyOf(orgId, file), bytes)
  return whole(orgId, file.id, bytes.length, object?.etag ?? '')
}

function checkSize({ size }: Entity, bytes: number): void {
  if (size !== bytes) throw invalid([{ path: '', message: `The file has ${size} bytes, not ${bytes}.` }])
}

const hex = (digest: ArrayBuffer) =>
  [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** A repeat after a lost answer, or beside the first, finds the object complete and the upload gone. */
async function keepPiece(context: OpenContext, orgId: string, file: Entity, piece: Piece): Promise<Statement[]> {
  const present = async () => {
    const made = piece.isLast ? await context.env.FILES.head(keyOf(orgId, file)) : null
    return made && made.size === file.size ? whole(orgId, file.id, made.size, made.etag) : undefined
  }
  const added = () =>
    addPiece(context, orgId, file, piece).catch(async error => {
      const made = await present()
      if (made) return made
      throw error
    })
  return (await present()) ?? added()
}

async function addPiece({ env, now }: OpenContext, orgId: string, file: Entity, piece: Piece): Promise<Statement[]> {
  const db = databaseFor(env, orgId)
  const [key, own] = [keyOf(orgId, file), { id: file.id, orgId }]
  const held =
    (await heldUpload(db, own)) ?? (await claimed(env.FILES, key, uploadId => claimUpload(db, own, uploadId, now)))
  const upload = env.FILES.resumeMultipartUpload(key, held)
  const { etag } = await upload.uploadPart(piece.number, piece.bytes)
  await keepPart(db, own, { partNumber: piece.number, etag, size: piece.bytes.length })
  if (!piece.isLast) return []
  const parts = await partsOf(db, own)
  const isComplete = parts.length === piece.number && parts.every(({ partNumber }, at) => partNumber === at + 1)
  if (!isComplete) throw new Fault('conflict', 'Pieces of the content are missing.')
  checkSize(
    file,
    parts.reduce((sum, { size }) => sum + size, 0),
  )
  const object = await upload.complete(parts)
  return [forgetParts(own), forgetUpload(own), ...whole(orgId, file.id, object.size, object.etag)]
}

async function claimed(bucket: R2Bucket, key: string, claim: (uploadId: string) => Promise<string>): Promise<string> {
  return claim((await bucket.createMultipartUpload(key)).uploadId)
}
