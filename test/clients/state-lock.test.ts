// N13: one service for one database.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeLock } from '../../src/scripts/state-lock.ts'

const lockModule = path.resolve(import.meta.dirname, '../../src/scripts/state-lock.ts')
let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'selvedge-lock-'))
  file = path.join(folder, 'state/dev.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** By another process, which tells who has the lock and, unless it is killed, gives back what it took. */
function takenByAnother(ending: string): string {
  const code = `const { takeLock } = await import(${JSON.stringify(lockModule)})
    console.log(JSON.stringify(takeLock(${JSON.stringify(file)}, 'http://other') ?? 'taken')); ${ending}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout.trim()
}

describe('N13 the lock of a database', () => {
  it('is given to one process, and back when it ends', () => {
    expect(takenByAnother('process.exit(0)')).toBe('"taken"')
    expect(existsSync(file)).toBe(false)
    expect(takeLock(file, 'http://here')).toBeUndefined()
    expect(JSON.parse(takenByAnother(''))).toEqual({ pid: process.pid, address: 'http://here' })
    expect(existsSync(file)).toBe(true)
  })

  it('is taken over from one that was killed', () => {
    expect(takenByAnother("process.kill(process.pid, 'SIGKILL')")).toBe('"taken"')
    expect(existsSync(file)).toBe(true)
    expect(takeLock(file, 'http://here')).toBeUndefined()
    expect(JSON.parse(readFileSync(file, 'utf8')).pid).toBe(process.pid)
  })

  it.each(['', '{', '{}', JSON.stringify({ pid: process.pid })])('is not held by nobody: %s', text => {
    takeLock(file, 'http://here')
    writeFileSync(file, text)
    expect(takeLock(file, 'http://here')).toBeUndefined()
  })
})
