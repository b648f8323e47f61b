// `npm run release`: what it prints can be typed, and what it wrote can be taken back. What it builds is tested elsewhere. // N62
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Clone } from './clone.ts'

const VERSION = '98.7.6'
/** Packs a file that may be published, into the folder that comes last. */
const PACKS =
  'cd "$(mktemp -d)" && mkdir package && echo "{}" > package/package.json && tar -czf "$folder/x.tgz" package/package.json'

let clone: Clone
const git = async (line: string) => {
  const { code, text } = await clone.shell(`git -c user.name=Ann -c user.email=ann@example.com ${line}`)
  expect(code, text).toBe(0)
  return text
}

beforeEach(async () => {
  clone = new Clone('http://127.0.0.1:9')
  const ignored = String.raw`printf 'commands/\norigin.git/\nnode_modules\n' >> .git/info/exclude`
  await clone.shell(`git init -q -b main . && git init -q --bare origin.git && ${ignored}`)
  await git('remote add origin ./origin.git')
  await git('add -A')
  await git('commit -q -m first')
})
afterEach(() => clone.remove())

/** With commands of the name that do what the test says instead. */
function release(commands: Record<string, string>) {
  const folder = path.join(clone.folder, 'commands')
  mkdirSync(folder, { recursive: true })
  for (const [name, does] of Object.entries(commands)) {
    writeFileSync(path.join(folder, name), `#!/bin/bash\nfor folder; do :; done\n${does}\n`)
    chmodSync(path.join(folder, name), 0o755)
  }
  return clone.release([VERSION], { PATH: `${folder}:${process.env.PATH}` })
}

describe('N62 npm run release', () => {
  it('prints commands that bring commit and tag to everybody, and the client to a repository that is named', async () => {
    const { code, text } = await release({ npm: PACKS, mvn: 'exit 1' })
    expect(code, text).toBe(0)
    expect(clone.read('package.json')).toContain(`"version": "${VERSION}"`)
    const line = /^ {2}(git add .*)$/m.exec(text)?.[1] ?? ''
    await git('config user.name Ann')
    await git('config user.email ann@example.com')
    expect(await clone.shell(line)).toMatchObject({ code: 0 })
    const head = (await git('rev-parse HEAD')).trim()
    const there = await git('ls-remote origin')
    expect(there).toContain(`${head}\trefs/heads/main`)
    expect(there).toContain(`refs/tags/v${VERSION}`)
    expect(text).toMatch(/mvn .* deploy -DaltDeploymentRepository=\S+/)
  })

  it('says how to take back what it wrote where a check fails', async () => {
    const { code, text } = await release({ npm: 'exit 1' })
    expect(code).toBe(1)
    expect(await git('status --porcelain')).toContain('package.json')
    const line = /^ {2}(git restore .*)$/m.exec(text)?.[1] ?? 'exit 1'
    expect(await clone.shell(line)).toMatchObject({ code: 0 })
    expect(await git('status --porcelain')).toBe('')
  })
})
