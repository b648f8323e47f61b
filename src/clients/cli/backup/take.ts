// Takes an organization into an archive: pages of lines as the service gives them, and behind each page the contents of the files that
// it tells of. Whatever breaks off, the same command goes on behind the last whole frame.

import { PIECE_BYTES, packed, pagesIn, pieceBody } from '../../../platform/formats/bodies.ts'
import { ApiError, type Operator } from '../../typescript/index.ts'
import type { ArchiveFile, FileToTake } from './archive-file.ts'

export interface Taken {
  pages: number
  files: number
  /** Files that were deleted while the backup ran. */
  gone: number
  /** What the lines tell of that came without its secret. */
  leftOut: string[]
}

interface Taking {
  operator: Operator
  slug: string
  archive: ArchiveFile
  secrets: 'without' | 'open'
  signal: AbortSignal
  told(taken: Taken): void
}

export async function takeAll(taking: Taking): Promise<Taken> {
  const { operator, slug, archive, secrets, signal, told } = taking
  const taken: Taken = { pages: 0, files: 0, gone: 0, leftOut: [] }
  let { after } = archive.progress
  await takeContents(taking, archive.progress.files, taken)
  while (after !== null) {
    const text = await operator.backups.pages({ slug, after, secrets, signal })
    const pages = pagesIn(text)
    if (pages.length === 0) throw new Error('The service answered without a whole page.')
    for (const { page, mark } of pages) {
      await archive.write({ kind: 'rows', body: await packed(page) })
      after = mark.after
      taken.pages++
      taken.leftOut.push(...leftOutOf(page))
      const files = (mark.files ?? []).map(file => ({ ...file, pieces: 0 }))
      await takeContents(taking, files, taken)
      told(taken)
    }
  }
  return taken
}

/** Few lines have lost a secret, and those say so. */
function leftOutOf(page: string): string[] {
  if (!page.includes('"secrets":"without"')) return []
  return page
    .split('\n')
    .filter(line => line.endsWith('"secrets":"without"}') && !line.startsWith('{"table":"archive"'))
    .map(line => {
      const { table, name, email } = JSON.parse(line) as Record<string, unknown>
      const whose = { endpoints: `the secret of the endpoint ${name}`, members: `the password of ${email}` }
      return whose[table as keyof typeof whose] ?? 'the identity provider, for want of its secret'
    })
}

async function takeContents(taking: Taking, files: readonly FileToTake[], taken: Taken): Promise<void> {
  for (const file of files) {
    try {
      await takeContent(taking, file)
      taken.files++
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      const piece = { fileId: file.id, piece: 1, isLast: true, isGone: true } as const
      await taking.archive.write({ kind: 'content', body: pieceBody(piece, new Uint8Array()) })
      taken.gone++
    }
    taking.told(taken)
  }
}

async function takeContent(
  { operator, slug, archive, signal }: Taking,
  { id, size, pieces }: FileToTake,
): Promise<void> {
  const whole = Math.max(1, Math.ceil(size / PIECE_BYTES))
  let piece = pieces
  const response = await operator.backups.content({ slug, fileId: id, from: pieces * PIECE_BYTES, signal })
  for await (const bytes of piecesOf(response, Math.min(size, PIECE_BYTES))) {
    piece++
    const body = pieceBody({ fileId: id, piece, isLast: piece === whole }, bytes)
    await archive.write({ kind: 'content', body })
  }
  if (piece !== whole) throw new Error(`The content of the file ${id} broke off.`)
}

/** What comes, in pieces of one size; the last may be shorter, and of an empty content it is empty. */
async function* piecesOf(response: Response, size: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(size)
  let length = 0
  let isEmpty = true
  if (response.body) {
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (let at = 0; at < next.value.length; ) {
        const some = next.value.subarray(at, at + size - length)
        buffer.set(some, length)
        length += some.length
        at += some.length
        if (length < size) continue
        isEmpty = false
        yield buffer.subarray(0, length)
        length = 0
      }
    }
  }
  if (length > 0 || isEmpty) yield buffer.subarray(0, length)
}
