// How far the commands of a profile have read and written (N59): what one has written, the next one sees, and reads nearby. It is
// no secret, and nothing depends on it: where it cannot be kept, the primary answers.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isNewer } from '../typescript/bookmark.ts'
import type { ConnectionOptions } from '../typescript/index.ts'
import type { Connection } from './connection.ts'
import { isRecord } from './input.ts'
import { credentialsPath, writePrivate } from './profiles.ts'
import type { World } from './terminal.ts'

interface Kept {
  before: string | undefined
  now: string | undefined
}

const keyOf = ({ baseUrl, orgSlug }: Connection) => `${baseUrl} ${orgSlug}`

export class Bookmarks {
  readonly #world: World
  readonly #kept = new Map<string, Kept>()

  constructor(world: World) {
    this.#world = world
  }

  /** Credentials of the environment leave nothing behind. */
  async for(connection: Connection): Promise<Pick<ConnectionOptions, 'bookmark' | 'onBookmark'>> {
    if (!connection.isProfile) return {}
    const kept = await this.#keptFor(keyOf(connection))
    const onBookmark = (changed: string | undefined) => {
      kept.now = changed
    }
    return { bookmark: kept.now, onBookmark }
  }

  /** A command may make several clients: a later one goes on where those before it are. */
  async #keptFor(key: string): Promise<Kept> {
    const stored = this.#kept.has(key) ? undefined : (await this.#read())[key]
    const kept = this.#kept.get(key) ?? { before: stored, now: stored }
    this.#kept.set(key, kept)
    return kept
  }

  /** At the end of a command. Another one may have come further in the meantime. */
  async save(): Promise<void> {
    const changed = [...this.#kept].filter(([, { before, now }]) => now !== before)
    if (changed.length === 0) return
    const all = await this.#read()
    for (const [key, { before, now }] of changed) {
      const stored = all[key]
      const isOthers = stored !== undefined && stored !== before && now !== undefined && isNewer(stored, now)
      if (now === undefined) delete all[key]
      else if (!isOthers) all[key] = now
    }
    await writePrivate(this.#file(), all).catch(() => undefined)
  }

  async #read(): Promise<Record<string, string>> {
    const found: unknown = await readFile(this.#file(), 'utf8')
      .then(JSON.parse)
      .catch(() => undefined)
    if (!isRecord(found)) return {}
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  }

  #file(): string {
    return path.join(path.dirname(credentialsPath(this.#world)), 'bookmarks.json')
  }
}
