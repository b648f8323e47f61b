// A file of old change records (N58): a line of JSON each, packed, under a key that is never used again. What is written is never
// changed; its index row has the digest.

import type { historyFiles } from '../../platform/db/schema/history-files.ts'
import type { RowOf } from '../../platform/db/sql.ts'
import { base64Url } from '../../platform/digest.ts'
import type { Env } from '../../platform/env.ts'
import { Fault } from '../../platform/errors.ts'
import { packed, unpacked } from '../../platform/formats/bodies.ts'
import { newId } from '../../platform/ids.ts'
import { textBytes } from '../../platform/json-size.ts'
import type { ChangeRow } from './store.ts'

export type HistoryFile = RowOf<typeof historyFiles>

/** The first line of each; counted up when earlier releases could not read it. */
const HEAD = JSON.stringify({ format: 1 })

/** All objects of an organization begin with its id. */
export const historyKey = (orgId: string, objectId: string) => `${orgId}/history/${objectId}`

/** See `historyKey`. */
export function historyObjectIn(key: string): { key: string; orgId: string; objectId: string } | undefined {
  const [, orgId, objectId] = /^([^/]+)\/history\/([^/]+)$/.exec(key) ?? []
  return orgId && objectId ? { key, orgId, objectId } : undefined
}

export type WrittenFile = Pick<HistoryFile, 'objectId' | 'digest' | 'lineBytes' | 'packedBytes'>

export async function writeHistoryFile(env: Env, orgId: string, records: readonly ChangeRow[]): Promise<WrittenFile> {
  const lines = records.map(({ orgId: _, ...record }) => JSON.stringify(record))
  const text = [HEAD, ...lines, ''].join('\n')
  const content = await packed(text)
  const sha256 = await crypto.subtle.digest('SHA-256', content)
  const objectId = newId()
  // The bucket compares what has arrived with the digest.
  await env.FILES.put(historyKey(orgId, objectId), content, { sha256 })
  return { objectId, digest: base64Url(sha256), lineBytes: textBytes(text), packedBytes: content.length }
}

/** An index row leads to a file that is not there: it was swept since the row was read, or it is lost. */
export class FileGone extends Error {}

/**
 * Its records, in commit order; `mayHold` spares reading lines that cannot be wanted. What cannot be read as it was written is
 * never taken for a file without records.
 */
export async function readHistoryFile(
  env: Env,
  file: HistoryFile,
  mayHold: (line: string) => boolean = () => true,
): Promise<ChangeRow[]> {
  const { orgId } = file
  const key = historyKey(orgId, file.objectId)
  const content = await env.FILES.get(key)
  if (!content) throw new FileGone(key)
  const bytes = new Uint8Array(await content.arrayBuffer())
  if (base64Url(await crypto.subtle.digest('SHA-256', bytes)) !== file.digest)
    throw unreadable(key, 'its digest is wrong')
  const [head, ...lines] = (await unpacked(bytes)).split('\n').slice(0, -1)
  if (head !== HEAD) throw unreadable(key, 'it is of another release')
  if (lines.length !== file.records) throw unreadable(key, 'it has another number of records')
  return lines.filter(mayHold).map(line => ({ ...(JSON.parse(line) as Omit<ChangeRow, 'orgId'>), orgId }))
}

export function unreadable(key: string, why: string): Fault {
  console.error('the history file', key, 'cannot be read:', why)
  return new Fault('unavailable', 'Old change records cannot be read at the moment. Try again later.', {
    headers: { 'Retry-After': '60' },
  })
}
