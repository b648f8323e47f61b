// Files that the service writes by itself, one for each try: whoever comes late must not write over what another try has committed.
// What no record names is swept out of the bucket.

import type { Write } from '../../platform/db/commit/write.ts'
import { newId } from '../../platform/ids.ts'
import { BucketWriter } from './bucket-writer.ts'
import { type FileScope, fileWrite } from './files.ts'
import { contentKey } from './store.ts'

export interface ReportFile {
  id: string
  write: Write
}

const encoder = new TextEncoder()

export async function writeReport(
  scope: FileScope,
  file: { fileName: string; contentType: string },
  texts: AsyncIterable<string> | readonly string[],
): Promise<ReportFile> {
  const id = newId()
  const writer = new BucketWriter(scope.env.FILES, contentKey(scope.org.id, id))
  try {
    for await (const text of texts) await writer.write(encoder.encode(text))
    const stored = await writer.finish()
    return { id, write: fileWrite(scope, id, file, stored) }
  } catch (error) {
    await writer.abort()
    throw error
  }
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
