// N13: starts that follow each other on one database, as a person types them.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Operator } from '../../../src/clients/typescript/index.ts'
import { read, root } from '../../markdown.ts'
import { freePort } from './start.ts'

const state = mkdtempSync(path.join(tmpdir(), 'selvedge-starts-'))
const running = new Set<ChildProcess>()
afterAll(async () => {
  await Promise.all([...running].map(child => stop(child)))
  rmSync(state, { recursive: true, force: true })
})

interface Start {
  child: ChildProcess
  said: string
  code: number | null
}

/** Until it is ready, or has ended. */
function start(...flags: string[]): Promise<Start> {
  const args = ['src/scripts/dev.ts', '--persist-to', state, ...flags]
  const child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let said = ''
  return new Promise(resolve => {
    const listen = (chunk: Buffer) => {
      said += chunk
      if (/A load to try.*\n/.test(said)) resolve({ child, said, code: null })
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('exit', code => {
      running.delete(child)
      resolve({ child, said, code })
    })
  })
}

/** The whole group that this test has started: the script and its runtimes. */
function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<unknown> {
  const gone = new Promise(resolve => child.once('exit', resolve))
  process.kill(-(child.pid ?? 0), signal)
  return gone
}

const baseUrlIn = ({ said }: Start) => /BASE_URL=(\S+)/.exec(said)?.[1] ?? ''

describe('N13 starts on one database', () => {
  it('are one at a time; a demo that was suspended, and a file that cannot be read, stop none of them', async () => {
    const port = String(await freePort())
    const first = await start('--port', port)
    expect(first.said).toMatch(/API_KEY=app:\S+/)

    const beside = await start('--port', String(await freePort()))
    expect(beside.code).toBe(1)
    expect(beside.said).toContain(
      `already running on this database: http://localhost:${port}, process ${first.child.pid}`,
    )
    expect(beside.said).toContain('--persist-to')

    const operatorKey = /^OPERATOR_KEY=(.+)$/m.exec(read('.dev.vars'))?.[1] ?? ''
    const operator = new Operator({ baseUrl: baseUrlIn(first), operatorKey })
    await operator.updateOrg({ slug: 'demo', change: { suspended: true } })
    await stop(first.child)

    // By a bare address of IPv6, too.
    const second = await start('--port', port, '--ip', '::1')
    expect(second.code).toBeNull()
    expect(second.said).toContain(`export BASE_URL=http://[::1]:${port}/api`)
    expect(second.said).toContain('Warning: the organization demo')
    expect((await fetch(`http://[::1]:${port}/health`)).status).toBe(200)
    const again = new Operator({ baseUrl: baseUrlIn(second), operatorKey })
    await again.updateOrg({ slug: 'demo', change: { suspended: false } })
    await stop(second.child, 'SIGKILL')

    const file = path.join(state, 'demo.json')
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))
    const third = await start('--port', port)
    expect(third.said).not.toContain('Warning')
    expect(third.said).toMatch(/API_KEY=app:\S+/)
    await stop(third.child)
  })
})
