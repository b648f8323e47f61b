// Reads the load's file out of R2 as record-aligned ranges, from any checkpoint on.
import { LOAD_ROW_MAX_BYTES, MB } from '../../../platform/limits.ts'
import { readAhead } from '../../../platform/read-ahead.ts'
import { CsvFault, findHeader, type HeaderPlace, type HeaderState } from './dialect.ts'
import { type Header, readHeader } from './rows.ts'
import { type RecordRange, Splitter } from './splitter.ts'

/** A step seldom reads to the end of the file: what R2 sends ahead stays bounded. */
const WINDOW_BYTES = 2 * MB

export interface Source {
  bucket: R2Bucket
  /** Of the file's content. */
  key: string
  size: number
  bounds: { chunkBytes: number; chunkMaxRows: number }
}

async function open({ bucket, key }: Source, range: R2Range): Promise<R2ObjectBody> {
  const object = await bucket.get(key, { range })
  if (!object) throw new CsvFault('The content of the file is gone.', 1)
  return object
}

export async function openHeader(source: Source): Promise<{ header: Header; place: HeaderPlace }> {
  if (source.size === 0) throw new CsvFault('The file is empty.', 1)
  const length = Math.min(source.size, LOAD_ROW_MAX_BYTES)
  const bytes = new Uint8Array(await (await open(source, { offset: 0, length })).arrayBuffer())
  const place = findHeader(bytes, length === source.size)
  if (!place) throw new CsvFault('The header does not end within the first megabyte.', 1)
  return { header: readHeader(bytes, place), place }
}

export async function* ranges(
  source: Source,
  header: HeaderState,
  from: { start: number; line: number },
): AsyncGenerator<RecordRange> {
  if (from.start >= source.size) return
  const splitter = new Splitter({
    dialect: header.dialect,
    ...from,
    targetBytes: source.bounds.chunkBytes,
    maxRecordBytes: LOAD_ROW_MAX_BYTES,
    // They may change on the way.
    get maxRecords() {
      return source.bounds.chunkMaxRows
    },
  })
  for await (const bytes of readAhead(windows(source, from.start))) yield* splitter.push(bytes)
  yield* splitter.finish()
}

/** Each as a whole: a stream comes in small pieces, of which each costs as much as a large one. */
async function* windows(source: Source, start: number): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < source.size; offset += WINDOW_BYTES) {
    const window = await open(source, { offset, length: Math.min(WINDOW_BYTES, source.size - offset) })
    yield new Uint8Array(await window.arrayBuffer())
  }
}
