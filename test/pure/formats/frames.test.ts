// The file of an archive: what was written comes back, and whatever else is refused (N63).
import { describe, expect, it } from 'vitest'
import { packed, pagesIn, pieceBody, pieceIn, unpacked } from '../../../src/platform/formats/bodies.ts'
import {
  type ArchiveKey,
  beginning,
  type Frame,
  FrameWriter,
  type Header,
  type ReadFrame,
  readFrames,
} from '../../../src/platform/formats/frames.ts'

const header: Header = { slug: 'acme', createdOn: '2026-11-15T00:00:00.000Z', source: null, encryption: null }
const bytesOf = (text: string) => new Uint8Array(new TextEncoder().encode(text))
const FRAMES: Frame[] = [
  { kind: 'rows', body: bytesOf('first page') },
  { kind: 'content', body: bytesOf('a piece') },
  { kind: 'rows', body: bytesOf('second page') },
  { kind: 'end', body: bytesOf('{}') },
]

const keyOf = (byte: number): Promise<ArchiveKey> =>
  crypto.subtle.importKey('raw', new Uint8Array(32).fill(byte), 'AES-GCM', false, ['encrypt', 'decrypt'])

async function written(frames: readonly Frame[], key?: ArchiveKey): Promise<Uint8Array<ArrayBuffer>[]> {
  const { bytes, chain } = await beginning(header)
  const writer = new FrameWriter(chain, key)
  const parts = [bytes]
  for (const frame of frames) parts.push(await writer.frame(frame))
  return parts
}

async function* cutInto(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

async function read(parts: readonly Uint8Array[], key?: ArchiveKey, size = 7): Promise<ReadFrame[]> {
  const bytes = new Uint8Array(Buffer.concat(parts))
  const frames: ReadFrame[] = []
  for await (const frame of readFrames(cutInto(bytes, size), async () => key)) frames.push(frame)
  return frames
}

const plain = (frames: readonly ReadFrame[]) => frames.map(({ kind, body }) => ({ kind, body }))

describe.each([
  ['open', undefined],
  ['encrypted', 1],
])('N63 an archive, %s', (_, byte) => {
  const keyed = async () => (byte === undefined ? undefined : keyOf(byte))

  it('comes back as it was written, in pieces of any length', async () => {
    const key = await keyed()
    const parts = await written(FRAMES, key)
    for (const size of [1, 7, 1000]) expect(plain(await read(parts, key, size))).toEqual(FRAMES)
    expect((await read(parts, key)).at(-1)?.offset).toBe(Buffer.concat(parts).length)
  })

  it('is refused where any byte behind the header is another', async () => {
    const key = await keyed()
    const parts = await written(FRAMES, key)
    const bytes = Buffer.concat(parts)
    for (let at = parts[0]?.length ?? 0; at < bytes.length; at++) {
      const other = Buffer.from(bytes)
      other[at] = (other[at] ?? 0) ^ 1
      await expect(read([other], key)).rejects.toMatchObject({ name: 'ArchiveError' })
    }
  })

  it('is refused where it is cut, reordered, shortened or longer', async () => {
    const key = await keyed()
    const parts = await written(FRAMES, key)
    const [head, first, second, third, end] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]
    const bytes = Buffer.concat(parts)
    for (let length = 0; length < bytes.length; length++) {
      await expect(read([bytes.subarray(0, length)], key)).rejects.toMatchObject({ name: 'ArchiveError' })
    }
    await expect(read([head, second, first, third, end], key)).rejects.toMatchObject({ reason: 'altered' })
    await expect(read([head, first, third, end], key)).rejects.toMatchObject({ reason: 'altered' })
    await expect(read([...parts, Uint8Array.of(0)], key)).rejects.toMatchObject({ reason: 'altered' })
    const otherHead = (await beginning({ ...header, slug: 'other' })).bytes
    await expect(read([otherHead, first, second, third, end], key)).rejects.toMatchObject({ reason: 'altered' })
    await expect(read([bytesOf('PK something else\n'), first], key)).rejects.toMatchObject({ reason: 'no_archive' })
  })
})

describe('N63 an encrypted archive', () => {
  it('shows nothing, and opens with no other key', async () => {
    const parts = await written(FRAMES, await keyOf(1))
    expect(Buffer.concat(parts).includes('page')).toBe(false)
    await expect(read(parts, await keyOf(2))).rejects.toMatchObject({ reason: 'altered' })
  })

  it('cannot be made to hold frames of another under the same key', async () => {
    const key = await keyOf(1)
    const [head] = await written([], key)
    const others = await written([{ kind: 'rows', body: bytesOf('foreign') }, ...FRAMES], key)
    const { chain } = await beginning(header)
    // Its digest made right, as anybody can.
    const stored = (others[2] ?? new Uint8Array()).slice(5, -32)
    const forged = await new FrameWriter(chain).frame({ kind: 'rows', body: stored })
    await expect(read([head ?? new Uint8Array(), forged], key)).rejects.toMatchObject({ reason: 'altered' })
  })
})

describe('N63 what stands in frames', () => {
  it('pages are packed, and found by their marks alone', async () => {
    const lines = '{"table":"entities","data":"\u2028{\\"table\\":\\"mark\\""}\n'
    const mark = '{"table":"mark","part":0,"digest":"d","after":null}\n'
    const text = `${lines}${mark}${lines}`
    expect(await unpacked(await packed(text))).toBe(text)
    expect(pagesIn(text)).toEqual([{ page: lines + mark, mark: { table: 'mark', part: 0, digest: 'd', after: null } }])
  })

  it('pieces say whose they are', () => {
    const piece = { fileId: 'f', piece: 2, isLast: true }
    expect(pieceIn(pieceBody(piece, bytesOf('\n\nx')))).toEqual({ piece, bytes: bytesOf('\n\nx') })
  })
})
