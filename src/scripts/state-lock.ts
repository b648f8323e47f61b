// One service for one database: two would write the same files. The file of the lock names the process that holds it; one that has
// died holds nothing.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isRunning } from '../clients/cli/is-running.ts'

export interface Holder {
  pid: number
  address: string
}

/** Undefined where it is taken, or who has it. It is given back when the process ends. */
export function takeLock(file: string, address: string): Holder | undefined {
  mkdirSync(path.dirname(file), { recursive: true })
  const holder = holderOf(file)
  if (holder) return holder
  rmSync(file, { force: true })
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, address }), { flag: 'wx' })
  } catch (error) {
    // Somebody else was faster.
    const faster = holderOf(file)
    if (faster) return faster
    throw error
  }
  process.once('exit', () => rmSync(file, { force: true }))
  return undefined
}

/** Whoever lives. Our own number, as in a container that is started again, was somebody else's. */
function holderOf(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder
    return holder.pid !== process.pid && isRunning(holder.pid) ? holder : undefined
  } catch {
    return undefined
  }
}
