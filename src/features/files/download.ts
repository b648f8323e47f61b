// The content of a file as an answer: streamed, with ranges, never rendered by a browser (N26).
import type { Context } from '../../platform/context.ts'
import { Fault, notFound } from '../../platform/errors.ts'
import { isFresh } from '../../platform/http/etag.ts'
import { rangeIn } from './range.ts'
import { getFile } from './service.ts'
import { keyOf } from './store.ts'

export interface Download {
  status: 200 | 206 | 304
  headers: Record<string, string>
  body: ReadableStream | null
}

export async function download(context: Context, id: string, headers: Headers): Promise<Download> {
  const file = await getFile(context, id)
  if (file.status !== 'ready') throw notFound('content yet')
  const size = Number(file.size)
  const etag = `"${String(file.checksum)}"`
  const common = { ...SAFE, ETag: etag, 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes' }
  if (isFresh({ headers }, etag)) return { status: 304, headers: common, body: null }
  const range = isOfThis(etag, headers.get('If-Range')) ? rangeIn(headers.get('Range'), size) : 'whole'
  if (range === 'unsatisfiable') {
    throw new Fault('range_not_satisfiable', `The file has ${size} bytes.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    })
  }
  const object = await context.env.FILES.get(keyOf(context.org.id, file), range === 'whole' ? {} : { range })
  if (!object) throw notFound('content')
  const described = {
    ...common,
    'Content-Type': String(file.contentType),
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(String(file.fileName)).replaceAll(/['()*]/g, percent)}`,
  }
  if (range === 'whole')
    return { status: 200, headers: { ...described, 'Content-Length': String(size) }, body: object.body }
  const contentRange = `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`
  const partial = { ...described, 'Content-Range': contentRange, 'Content-Length': String(range.length) }
  return { status: 206, headers: partial, body: object.body }
}

/** If-Range: what a caller has of another content must not be completed with pieces of this one. A date names nothing here. */
function isOfThis(etag: string, condition: string | null): boolean {
  return condition === null || condition.trim() === etag
}

const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
