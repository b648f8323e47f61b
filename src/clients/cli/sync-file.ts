// The position of a poller in a file: a restart goes on from there.

import { readFile } from 'node:fs/promises'
import { replaceFile } from './whole-file.ts'

/** A restart has the same --after: what the file holds goes before it. */
export async function firstKey(file: string | undefined, after: string | undefined): Promise<string | undefined> {
  return (file === undefined ? undefined : await storedKey(file)) ?? after
}

/** As it can be typed again: the key of the beginning is empty. */
export const typedKey = (syncKey: string) => (syncKey === '' ? '""' : syncKey)

/** An empty file holds none. */
export async function storedKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export const storeKey = (file: string, syncKey: string) => replaceFile(file, `${syncKey}\n`)
