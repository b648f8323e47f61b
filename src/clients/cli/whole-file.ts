// Content from the service, to stdout or into a file that is there whole or not at all.

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { World } from './terminal.ts'

/** What only its owner may read. */
export const PRIVATE = 0o600
const ORDINARY = 0o666

export async function writeContent(
  world: World,
  content: Readable,
  file: string | undefined,
  mode = ORDINARY,
): Promise<void> {
  if (file === undefined) await print(world, content)
  else if (await isDevice(file)) await pipeline(content, createWriteStream(file))
  else await writeWhole(content, file, mode)
}

async function print({ stdout, signal }: World, content: Readable): Promise<void> {
  for await (const chunk of content) {
    stdout.write(chunk)
    await stdout.taken(signal)
  }
}

async function writeWhole(content: Readable, file: string, mode: number): Promise<void> {
  const part = `${file}.part`
  // One that was left behind would keep its own mode.
  await rm(part, { force: true })
  try {
    await pipeline(content, createWriteStream(part, { mode }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Takes the file's place whole. The name of the draft is used once: what a killed run has left is in nobody's way. */
export async function replaceFile(file: string, text: string, mode = ORDINARY): Promise<void> {
  const draft = `${file}.${randomUUID()}.new`
  try {
    await writeFile(draft, text, { flag: 'wx', mode })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Such as /dev/stdout, which nothing can be renamed to. */
async function isDevice(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

export function contentOf({ body }: Response): Readable {
  return body === null ? Readable.from([]) : Readable.from(chunksOf(body))
}

export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
