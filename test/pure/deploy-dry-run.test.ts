// `npm run deploy -- --dry-run` where no account can be asked. // N84
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../markdown.ts'

/** Of a person who never signed in. */
const home = mkdtempSync(path.join(tmpdir(), 'selvedge-home-'))
afterAll(() => rmSync(home, { recursive: true }))

function deploy(args: string[], variables: Record<string, string> = {}) {
  const { PATH } = process.env
  return spawnSync(process.execPath, [path.join(root, 'src/scripts/deploy.ts'), ...args], {
    encoding: 'utf8',
    // Port 9 answers nobody.
    env: { PATH, HOME: home, NO_COLOR: '1', CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9', CI: '1', ...variables },
  })
}

describe('N84 a dry run that can ask no account', () => {
  it.each([
    ['you are not signed in', {}],
    ['Cloudflare cannot be reached', { CLOUDFLARE_API_TOKEN: 'a-token' }],
    ['Cloudflare cannot be reached', { CLOUDFLARE_API_TOKEN: 'a-token', CLOUDFLARE_ACCOUNT_ID: 'a'.repeat(32) }],
  ])('says so and prints the plan for an empty account: %s %j', (why, variables) => {
    const { status, stdout, stderr } = deploy(['--dry-run', '--location', 'weur'], variables)
    expect(stdout).toContain(`The account could not be asked: ${why}.\nWhat exists there is unknown`)
    expect(stdout).toContain('database    would create selvedge and selvedge-data-01 near weur\n')
    expect(stdout).toMatch(/\nmigrations {2}would apply \d+ to selvedge: 0000_initial/)
    expect(stdout).toContain('create bucket selvedge-files near weur, create queue selvedge-loads')
    expect(stdout).toContain('\nsmoke test  would ask the address of the Worker')
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('is the only one: a deploy without an account ends with what to do', () => {
    const { status, stdout, stderr } = deploy([])
    expect(stderr).toContain('You are not signed in to Cloudflare.')
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' })
  })
})
