// The position of a poller in a file: a restart goes on from there.

import { readFile, rename, writeFile } from 'node:fs/promises'

export async function storedKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export async function storeKey(file: string, syncKey: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`
  await writeFile(draft, `${syncKey}\n`)
  await rename(draft, file)
}
