// Where the content of files lies, and the parts of uploads under way.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database, Statement } from '../../platform/db/client.ts'
import { exceeded, quotaOf } from '../../platform/db/quota.ts'
import type { Entity } from '../../platform/db/row.ts'
import { clocks, ENTITY_INDEX, entities } from '../../platform/db/schema/entities.ts'
import { fileParts, fileUploads } from '../../platform/db/schema/files.ts'
import {
  build,
  columns,
  from,
  indexedBy,
  jsonPath,
  named,
  prepared,
  type RowOf,
  selection,
  statement,
} from '../../platform/db/sql.ts'
import type { Env } from '../../platform/env.ts'
import { allKinds } from '../../platform/kind.ts'
import { FILES_MAX } from '../../platform/limits.ts'
import { FILE } from './kind.ts'

/** All objects of an organization begin with its id. Each PUT of content has an object of its own, under a content id. */
export function contentKey(orgId: string, fileId: string, contentId?: string): string {
  return contentId === undefined ? `${orgId}/files/${fileId}` : `${orgId}/files/${fileId}/${contentId}`
}

/** Where the content is that the record names. */
export function keyOf(orgId: string, { id, contentId }: Entity): string {
  return contentKey(orgId, id, typeof contentId === 'string' ? contentId : undefined)
}

export interface FileOf {
  id: string
  orgId: string
}

const isUpload = ({ id, orgId }: FileOf) => and(eq(fileUploads.fileId, id), eq(fileUploads.orgId, orgId))
const isPart = ({ id, orgId }: FileOf) => and(eq(fileParts.fileId, id), eq(fileParts.orgId, orgId))

const readUpload = (file: FileOf) =>
  statement(build.select(selection(fileUploads)).from(fileUploads).where(isUpload(file)))

/** Of a file that waits for its content: where it waits no more, what is put down for it would stay for ever. */
const isPending = ({ id, orgId }: FileOf) => sql`EXISTS (SELECT 1 FROM ${entities} ${indexedBy(ENTITY_INDEX.id)}
  WHERE ${entities.id} = ${id} AND ${entities.orgId} = ${orgId} AND ${entities.kind} = ${FILE.name} AND ${entities.status} = 'pending')`

async function claim(db: Database, file: FileOf, uploadId: string, now: number, when: SQL) {
  const row = sql`SELECT ${file.id}, ${file.orgId}, ${uploadId}, ${now} WHERE ${when}`
  const [, held] = await db.batch([
    statement(build.insert(fileUploads).select(row).onConflictDoNothing()),
    readUpload(file),
  ])
  return held.results[0]?.uploadId
}

/** The upload that the file has; `uploadId` becomes it where there is none yet. */
export async function claimUpload(db: Database, file: FileOf, uploadId: string, now: number): Promise<string> {
  return (await claim(db, file, uploadId, now, sql`true`)) ?? uploadId
}

/** The same; none where the file waits for no content any more. */
export function claimPendingUpload(db: Database, file: FileOf, uploadId: string, now: number) {
  return claim(db, file, uploadId, now, isPending(file))
}

export async function heldUpload(db: Database, file: FileOf): Promise<string | undefined> {
  return (await db.first(readUpload(file)))?.uploadId
}

/** What there is room for, beside all files and all uploads under way; below 0 where there is too much already. */
export interface Room {
  bytes: number
  files: number
  /** The quota of bytes. */
  most: number
}

function room(orgId: string) {
  const most = sql.raw(String(FILES_MAX))
  // No further than the limit: what loads have written beyond it is not gone through.
  const stored = sql`SELECT ${entities.data} ->> '$.size' AS size FROM ${entities} ${indexedBy(ENTITY_INDEX.createdOn)}
    WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${FILE.name} LIMIT ${most}`
  const coming = sql`SELECT coalesce(sum(${fileParts.size}), 0) FROM ${fileParts} WHERE ${fileParts.orgId} = ${orgId}`
  return sql<Room>`SELECT q.most, q.most - f.bytes - (${coming}) AS bytes, ${most} - f.n AS files
    FROM (SELECT count(*) AS n, coalesce(sum(size), 0) AS bytes FROM (${stored})) f, (SELECT ${quotaOf(orgId, 'fileBytes')} AS most) q`
}

/** Fails where there is no room for so many bytes, or for so many files more: what has a record already adds none. */
export function roomFor({ orgId }: Pick<FileOf, 'orgId'>, bytes: number, files = 0): Statement {
  const isFull = files > 0 ? sql`r.files < ${files}` : sql`false`
  const why = sql`CASE WHEN ${isFull} THEN ${exceeded('files', sql.raw(String(FILES_MAX)))} ELSE ${exceeded('fileBytes', sql`r.most`)} END`
  return statement(sql`SELECT ${why} FROM (${room(orgId)}) r WHERE ${isFull} OR r.bytes < ${bytes}`)
}

export async function roomLeft(db: Database, orgId: string): Promise<Room> {
  return (await db.first(statement(room(orgId)))) ?? { bytes: 0, files: 0, most: 0 }
}

export type Part = Pick<RowOf<typeof fileParts>, 'partNumber' | 'etag' | 'size'>

export function partStatement(file: FileOf, { partNumber, etag, size }: Part): Statement {
  const keep = build
    .insert(fileParts)
    .values({ fileId: file.id, orgId: file.orgId, partNumber, etag, size })
    .onConflictDoUpdate({ target: [fileParts.fileId, fileParts.partNumber], set: { etag, size } })
  return statement(keep)
}

/** False where the file waits for no content any more. */
export async function keepPendingPart(db: Database, file: FileOf, part: Part): Promise<boolean> {
  const { partNumber, etag, size } = part
  const row = sql`SELECT ${file.id}, ${file.orgId}, ${partNumber}, ${etag}, ${size} WHERE ${isPending(file)}`
  const keep = build
    .insert(fileParts)
    .select(row)
    .onConflictDoUpdate({ target: [fileParts.fileId, fileParts.partNumber], set: { etag, size } })
  const [kept] = await db.batch([statement(keep)])
  return kept.meta.changes === 1
}

export async function keepPart(db: Database, file: FileOf, part: Part): Promise<void> {
  await db.batch([partStatement(file, part)])
}

export function partsOf(db: Database, file: FileOf): Promise<Part[]> {
  const parts = build.select(selection(fileParts)).from(fileParts)
  return db.all(statement(parts.where(isPart(file)).orderBy(asc(fileParts.partNumber))))
}

/** Removes everything that was ever uploaded for the file. Safe to repeat: the content is unreachable already. */
export async function removeContent(bucket: R2Bucket, file: FileOf, upload: D1Result | undefined): Promise<void> {
  const key = contentKey(file.orgId, file.id)
  await giveUpForgotten(bucket, file, upload)
  const { objects } = await bucket.list({ prefix: `${key}/` })
  await bucket.delete([key, ...objects.map(object => object.key)])
}

async function giveUp(bucket: R2Bucket, { orgId, id }: FileOf, uploadId: string): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(contentKey(orgId, id), uploadId).abort()
  } catch (error) {
    // It is over already, by an earlier sweep that died here or by its last part: the rest must still go.
    console.error('upload of', id, 'is not given up', error)
  }
}

/** Of a deleted organization: R2 keeps the parts of an upload until it is told otherwise. */
export async function abortUploads(env: Env, db: Database, orgId: string): Promise<void> {
  const uploads = build.select(selection(fileUploads)).from(fileUploads).where(eq(fileUploads.orgId, orgId))
  for (const { fileId, uploadId } of await db.all(statement(uploads))) {
    await giveUp(env.FILES, { orgId, id: fileId }, uploadId)
  }
}

export const forgetParts = (file: FileOf) => statement(build.delete(fileParts).where(isPart(file)))

/** Names the upload to abort: R2 keeps its parts until then. */
export const forgetUpload = (file: FileOf) =>
  statement(build.delete(fileUploads).where(isUpload(file)).returning(selection(fileUploads)))

/** Aborts the upload that `forgetUpload` named. */
export async function giveUpForgotten(bucket: R2Bucket, file: FileOf, told: D1Result | undefined): Promise<void> {
  const [upload] = (told?.results ?? []) as { uploadId: string }[]
  if (upload) await giveUp(bucket, file, upload.uploadId)
}

/** Begins the message of the failure. */
export const OTHER_PARTS = 'other parts'

/** Fails where the parts are not those that were put together: one may have come meanwhile. */
export function partsAre(file: FileOf, parts: readonly Part[]): Statement {
  const stored = sql`SELECT json_group_array(p.etag) FROM (
    SELECT ${fileParts.etag} AS etag FROM ${fileParts} WHERE ${isPart(file)} ORDER BY ${fileParts.partNumber}) p`
  const expected = JSON.stringify(parts.map(({ etag }) => etag))
  return statement(sql`SELECT json_extract('{}', ${sql.raw(`'${OTHER_PARTS}'`)}) WHERE (${stored}) <> ${expected}`)
}

type HolderValues = { orgId: string; kind: string; statuses: string; path: string; id: string }

/** Begins the message of the failure. */
export const HELD = 'file is held'

const failWhereHeld = prepared<HolderValues>(
  ({ orgId, kind, statuses, path, id }) => sql`SELECT json_extract('{}', ${sql.raw(`'${HELD}'`)})
    FROM ${entities} ${indexedBy(ENTITY_INDEX.status)} WHERE ${entities.orgId} = ${orgId} AND ${entities.kind} = ${kind}
      AND ${entities.status} IN (SELECT value FROM json_each(${statuses})) AND ${entities.data} ->> ${path} = ${id} LIMIT 1`,
)

const e = named(entities, 'e')

/** Fail where something needs the file: what is under way and names it, such as a load, or a type whose properties name it. */
export function notHeld({ id, orgId }: FileOf): Statement[] {
  const holders = allKinds().flatMap(({ name, holds = [] }) =>
    holds
      .filter(({ target }) => target === FILE.name)
      .map(({ field, statuses }) =>
        failWhereHeld({ orgId, kind: name, statuses: JSON.stringify(statuses), path: jsonPath(field), id }),
      ),
  )
  return [...holders, ...allKinds().flatMap(({ keepsFile }) => keepsFile?.check(orgId, id) ?? [])]
}

export type StaleFile = FileOf & { version: number }

const readStale = prepared<{ before: number; limit: number }, StaleFile>(
  ({ before, limit }) => sql`SELECT ${columns(e, ['id', 'orgId', 'version'])}
    FROM ${clocks} CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.status)}
      ON ${e.orgId} = ${clocks.orgId} AND ${e.kind} = ${FILE.name} AND ${e.status} = 'pending'
    WHERE ${clocks.state} = 'open' AND ${e.createdOn} < ${before} LIMIT ${limit}`,
)

/** Files that have waited for their content since before this time. */
export function staleFiles(db: Database, before: number, limit: number): Promise<StaleFile[]> {
  return db.all(readStale({ before, limit }))
}

/** An object of the bucket, by what its key says. */
export interface StoredObject extends FileOf {
  key: string
  contentId: string | null
}

const readLeading = prepared<{ objects: string }, { key: string }>(
  ({ objects }) => sql`SELECT o.value ->> 'key' AS key FROM json_each(${objects}) o
    CROSS JOIN ${from(e)} ${indexedBy(ENTITY_INDEX.id)} ON ${e.id} = o.value ->> 'id' AND ${e.orgId} = o.value ->> 'orgId'
    WHERE ${e.kind} = ${FILE.name}
      AND (${e.status} = 'pending' OR ${e.data} ->> '$.contentId' IS o.value ->> 'contentId')`,
)

/** Keys of the objects that a record leads to, or may yet: content of a file that waits for it. */
export async function keysWithRecord(db: Database, objects: readonly StoredObject[]): Promise<string[]> {
  const found = await db.all(readLeading({ objects: JSON.stringify(objects) }))
  return found.map(({ key }) => key)
}
