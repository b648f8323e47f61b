// Files that the service writes by itself. Their ids follow from what they are for, so that a repeated step writes the
// same object again instead of leaving a second one behind.

import type { Write } from '../../platform/db/commit/write.ts'
import { base64Url, sha256 } from '../../platform/digest.ts'
import { BucketWriter } from './bucket-writer.ts'
import { type FileScope, fileWrite } from './files.ts'
import { contentKey } from './store.ts'

export interface ReportFile {
  id: string
  write: Write
}

const encoder = new TextEncoder()

export async function idFor(purpose: string): Promise<string> {
  return base64Url(await sha256(`selvedge report ${purpose}`)).slice(0, 16)
}

export async function writeReport(
  scope: FileScope,
  purpose: string,
  file: { fileName: string; contentType: string },
  texts: AsyncIterable<string>,
): Promise<ReportFile> {
  const id = await idFor(purpose)
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
