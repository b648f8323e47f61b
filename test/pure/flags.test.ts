// A command that is called with a flag that it does not have.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../markdown.ts'

describe('a flag that a command does not know', () => {
  it.each(['dev', 'deploy', 'release'])('ends %s before it begins, in one line that names the flags it has', name => {
    const script = path.join(root, `src/scripts/${name}.ts`)
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--nonsense'], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^Unknown option '--nonsense'\. Known here: --[\w-]+(, --[\w-]+)*\.\n$/)
  })
})
