// Where the content of files lies, and the parts of uploads under way.
import type { Database } from '../../platform/db/client.ts'
import type { Entity } from '../../platform/db/row.ts'

/** All objects of an organization begin with its id. Each PUT of content has an object of its own, under a content id. */
export function contentKey(orgId: string, fileId: string, contentId?: string): string {
  return contentId === undefined ? `${orgId}/files/${fileId}` : `${orgId}/files/${fileId}/${contentId}`
}

/** Where the content is that the record names. */
export function keyOf(orgId: string, { id, contentId }: Entity): string {
  return contentKey(orgId, id, typeof contentId === 'string' ? contentId : undefined)
}

/** The upload that the file has; `uploadId` becomes it where there is none yet. */
export async function claimUpload(db: Database, file: { id: string; orgId: string }, uploadId: string, now: number) {
  const [, held] = await db.batch([
    {
      sql: `INSERT INTO file_uploads (file_id, org_id, upload_id, created_on) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING`,
      params: [file.id, file.orgId, uploadId, now],
    },
    { sql: 'SELECT upload_id FROM file_uploads WHERE file_id = ?1', params: [file.id] },
  ])
  return String(held?.results[0]?.upload_id)
}

export async function heldUpload(db: Database, fileId: string): Promise<string | undefined> {
  const [row] = await db.all({ sql: 'SELECT upload_id FROM file_uploads WHERE file_id = ?1', params: [fileId] })
  return row ? String(row.upload_id) : undefined
}

export interface Part {
  partNumber: number
  etag: string
  size: number
}

export async function keepPart(db: Database, file: { id: string; orgId: string }, part: Part): Promise<void> {
  await db.batch([
    {
      sql: `INSERT INTO file_parts (file_id, org_id, part_number, etag, size) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (file_id, part_number) DO UPDATE SET etag = excluded.etag, size = excluded.size`,
      params: [file.id, file.orgId, part.partNumber, part.etag, part.size],
    },
  ])
}

export async function partsOf(db: Database, fileId: string): Promise<Part[]> {
  const rows = await db.all({
    sql: 'SELECT part_number, etag, size FROM file_parts WHERE file_id = ?1 ORDER BY part_number',
    params: [fileId],
  })
  return rows.map(row => ({ partNumber: Number(row.part_number), etag: String(row.etag), size: Number(row.size) }))
}

/** Whatever was ever sent for the file. Safe to repeat; nobody can reach the content any more. */
export async function removeContent(
  bucket: R2Bucket,
  file: { id: string; orgId: string },
  uploadId: string | undefined,
): Promise<void> {
  const key = contentKey(file.orgId, file.id)
  if (uploadId !== undefined) await bucket.resumeMultipartUpload(key, uploadId).abort()
  const { objects } = await bucket.list({ prefix: `${key}/` })
  await bucket.delete([key, ...objects.map(object => object.key)])
}

export function forgetUpload(fileId: string) {
  return [
    { sql: 'DELETE FROM file_parts WHERE file_id = ?1', params: [fileId] },
    { sql: 'DELETE FROM file_uploads WHERE file_id = ?1', params: [fileId] },
  ]
}

/** Whether a load that has not ended reads the file. */
export async function isAwaitedByLoad(db: Database, orgId: string, fileId: string): Promise<boolean> {
  const rows = await db.all({
    sql: `SELECT 1 FROM entities INDEXED BY entities_status WHERE org_id = ?1 AND kind = 'loader-process'
      AND status IN ('pending', 'running') AND data ->> '$.fileLocation' = ?2 LIMIT 1`,
    params: [orgId, fileId],
  })
  return rows.length > 0
}

export interface StaleFile {
  id: string
  orgId: string
  uploadId: string | null
  version: number
}

/** Files that have waited for their content since before this time. */
export async function staleFiles(db: Database, before: number, limit: number): Promise<StaleFile[]> {
  const rows = await db.all({
    sql: `SELECT e.id, e.org_id, e.version, u.upload_id FROM clocks c
      CROSS JOIN entities e INDEXED BY entities_status ON e.org_id = c.org_id AND e.kind = 'file' AND e.status = 'pending'
      LEFT JOIN file_uploads u ON u.file_id = e.id WHERE e.created_on < ?1 LIMIT ?2`,
    params: [before, limit],
  })
  return rows.map(row => ({
    id: String(row.id),
    orgId: String(row.org_id),
    version: Number(row.version),
    uploadId: row.upload_id === null ? null : String(row.upload_id),
  }))
}
