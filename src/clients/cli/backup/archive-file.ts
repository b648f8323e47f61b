// Archives on disk: read to their end, or written on behind what an earlier run has left.

import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { pagesIn, pieceIn, unpacked } from '../../../platform/formats/bodies.ts'
import {
  ArchiveError,
  beginning,
  type Frame,
  FrameWriter,
  type Header,
  MAGIC,
  type ReadFrame,
  readFrames,
} from '../../../platform/formats/frames.ts'
import { Failure, usage } from '../failure.ts'
import { FileLock } from './file-lock.ts'
import { keyWith, newEncryption } from './passphrase.ts'

export interface FileToTake {
  id: string
  size: number
  /** Pieces that are there already. */
  pieces: number
}

/** How far a backup has come, as its own frames tell. */
export interface Progress {
  /** Undefined: nothing is there; null: all pages are. */
  after: string | null | undefined
  files: FileToTake[]
  bytes: number
}

export function framesOf(file: string, passphrase: string | undefined): AsyncGenerator<ReadFrame, void> {
  return readFrames(createReadStream(file, { highWaterMark: 1024 * 1024 }), keyWith(passphrase))
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export const partOf = (file: string) => `${file}.part`

/** Writes under another name first: what stands under its own name is whole. */
export class ArchiveFile {
  readonly progress: Progress
  readonly #handle: FileHandle
  readonly #writer: FrameWriter
  readonly #file: string
  readonly #lock: FileLock
  #offset: number

  private constructor(file: string, lock: FileLock, { handle, writer, offset, progress }: Opened) {
    this.#file = file
    this.#lock = lock
    this.#handle = handle
    this.#writer = writer
    this.#offset = offset
    this.progress = progress
  }

  /** Goes on with what an earlier run has left of the same organization, or begins. */
  static async open(
    file: string,
    about: Omit<Header, 'encryption'>,
    passphrase: string | undefined,
  ): Promise<ArchiveFile> {
    for (const each of [file, partOf(file)]) await refuseSpecial(each)
    const lock = await FileLock.take(partOf(file))
    try {
      const known = await headerOf(partOf(file))
      if (known) checkSame(file, known, about, passphrase)
      return new ArchiveFile(file, lock, await (known ? goOn(file, passphrase) : begin(file, about, passphrase)))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  get bytes(): number {
    return this.#offset
  }

  async write(frame: Frame): Promise<void> {
    const bytes = await this.#writer.frame(frame)
    await this.#lock.check()
    await writeAll(this.#handle, bytes, this.#offset)
    this.#offset += bytes.length
  }

  async finish(): Promise<void> {
    await this.write({ kind: 'end', body: new Uint8Array(new TextEncoder().encode('{}')) })
    await this.#handle.sync()
    await this.#handle.close()
    await this.#lock.check()
    await rename(partOf(this.#file), this.#file)
    await this.#lock.release()
  }

  async close(): Promise<void> {
    await this.#handle.close().finally(() => this.#lock.release())
  }
}

interface Opened {
  handle: FileHandle
  writer: FrameWriter
  offset: number
  progress: Progress
}

/** The system may take less than it is given, where room runs short. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}

/** At the end another file takes its place: a device or a folder must not be lost by that, or be found in the way after hours. */
async function refuseSpecial(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || found.isFile()) return
  const todo = 'Write to a file; where it must go elsewhere, copy it there when it is whole.'
  throw usage(`${file} is no file that an archive can be written to.`, todo, 'It is a folder, a pipe or a device.')
}

/** Undefined where nothing is there, or not even the header is whole. */
async function headerOf(part: string): Promise<Header | undefined> {
  const text = await firstOf(part)
  if (!text.startsWith(MAGIC.slice(0, text.length))) {
    throw new Failure({
      what: `${part} is no archive that was begun here.`,
      why: 'It would be overwritten: a backup is kept under this name until it is whole.',
      todo: 'Move it away, or write to another file.',
    })
  }
  const end = text.indexOf('\n', MAGIC.length)
  if (end === -1) return undefined
  return JSON.parse(Buffer.from(text.slice(MAGIC.length, end), 'latin1').toString()) as Header
}

async function firstOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })
  const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(8192), 0, 8192, 0)) ?? {
    buffer: Buffer.alloc(0),
    bytesRead: 0,
  }
  await handle?.close()
  return buffer.toString('latin1', 0, bytesRead)
}

function checkSame(
  file: string,
  known: Header,
  about: Omit<Header, 'encryption'>,
  passphrase: string | undefined,
): void {
  const isSame = known.slug === about.slug && known.source === about.source
  if (isSame && (known.encryption === null) === (passphrase === undefined)) return
  throw new Failure({
    what: `${partOf(file)} is of another backup.`,
    why: `It was begun for ${known.slug} of ${known.source}, ${known.encryption ? 'with' : 'without'} a passphrase.`,
    todo: 'Go on with that one, write to another file, or remove it.',
  })
}

async function begin(file: string, about: Omit<Header, 'encryption'>, passphrase: string | undefined): Promise<Opened> {
  const made = passphrase === undefined ? undefined : await newEncryption(passphrase)
  const { bytes, chain } = await beginning({ ...about, encryption: made?.encryption ?? null })
  const handle = await open(partOf(file), 'w', 0o600)
  await writeAll(handle, bytes, 0)
  const progress: Progress = { after: undefined, files: [], bytes: 0 }
  return { handle, writer: new FrameWriter(chain, made?.key), offset: bytes.length, progress }
}

/** Behind the last frame that is whole. */
async function goOn(file: string, passphrase: string | undefined): Promise<Opened> {
  const part = partOf(file)
  const header = await headerOf(part)
  if (!header) throw new ArchiveError('no_archive', `${part} is no archive.`)
  const progress: Progress = { after: undefined, files: [], bytes: 0 }
  const first = await beginning(header)
  let [chain, offset] = [first.chain, first.bytes.length]
  try {
    for await (const frame of framesOf(part, passphrase)) {
      if (frame.kind === 'end') break
      ;[chain, offset] = [frame.chain, frame.offset]
      await follow(progress, frame)
    }
  } catch (error) {
    // Cut is what an interruption leaves.
    if (!(error instanceof ArchiveError) || error.reason !== 'cut') throw error
  }
  const writer = new FrameWriter(chain, await keyWith(passphrase)(header))
  const handle = await open(part, 'r+')
  await handle.truncate(offset)
  return { handle, writer, offset, progress }
}

async function follow(progress: Progress, { kind, body }: ReadFrame): Promise<void> {
  if (kind === 'rows') {
    const [page] = pagesIn(await unpacked(body))
    progress.after = page?.mark.after
    progress.files = (page?.mark.files ?? []).map(file => ({ ...file, pieces: 0 }))
    return
  }
  const { piece } = pieceIn(body)
  const [file] = progress.files
  if (file?.id !== piece.fileId) return
  file.pieces = piece.piece
  if (piece.isLast) progress.files.shift()
}
