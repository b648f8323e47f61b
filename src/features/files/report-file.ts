// Files that the service writes, one for each attempt: a late attempt must not overwrite what another one has committed.
// What no record names is swept out of the bucket.

import type { Write } from '../../platform/db/commit/write.ts'
import { quotaExceeded } from '../../platform/db/quota.ts'
import { Fault } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { FILES_MAX } from '../../platform/limits.ts'
import { BucketWriter } from './bucket-writer.ts'
import { type FileScope, fileWrite } from './service.ts'
import { contentKey, type Room } from './store.ts'

export interface ReportFile {
  id: string
  write: Write
}

const encoder = new TextEncoder()

/** `room`: what is left for it, and for those after it. */
export async function writeReport(
  scope: FileScope,
  file: { fileName: string; contentType: string },
  texts: AsyncIterable<string> | readonly string[],
  room?: Room,
): Promise<ReportFile> {
  const id = newId()
  const writer = new BucketWriter(scope.env.FILES, contentKey(scope.org.id, id))
  try {
    if (room && room.files < 1) throw quotaExceeded('files', FILES_MAX)
    for await (const text of texts) {
      await writer.write(encoder.encode(text))
      if (room && writer.size > room.bytes) throw quotaExceeded('fileBytes', room.most)
    }
    const stored = await writer.finish()
    if (room) {
      room.bytes -= stored.size
      room.files--
    }
    return { id, write: fileWrite(scope, id, file, stored) }
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** The work that the file reports on is done: without room for the file, the work ends without it and says why. */
export function orWhyNot<T>(made: Promise<T>): Promise<T | Fault> {
  return made.catch(error => {
    if (error instanceof Fault && error.code === 'quota_exceeded') return error
    throw error
  })
}

/** A JSON list, one entry a line. */
export async function* jsonTexts(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let isFirst = true
  yield '['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield (isFirst ? '\n' : ',\n') + page.map(entry => JSON.stringify(entry)).join(',\n')
    isFirst = false
  }
  yield '\n]\n'
}
