import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOfLine } from '../../../src/platform/formats/audit-chain.ts'
import { fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

async function lines(count: number, detail = {}): Promise<string[]> {
  const texts: string[] = []
  let previousDigest = ''
  for (let number = 1; number <= count; number++) {
    const line = {
      number,
      id: `a${number}`,
      organizationId: 'o',
      createdOn: '2026-11-16T00:00:00.000Z',
      action: 'sign_in',
      actorType: 'user',
      actorId: 'u',
      address: null,
      subjectId: null,
      detail,
      previousDigest,
    }
    previousDigest = await digestOfLine(line)
    texts.push(JSON.stringify({ ...line, digest: previousDigest }))
  }
  return texts
}

describe('audit', () => {
  it('writes no trail that broke off', async () => {
    const text = `${(await lines(1)).join('\n')}\n{"problem":"It broke off here."}\n`
    const { command, folder } = await bench(await fakeServer(() => ({ text })))
    const file = path.join(folder, 'audit.jsonl')
    const ran = await command(['audit', 'export', '--out', file])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('broke off')
    await expect(readFile(file)).rejects.toThrow()
  })

  it('writes the trail into a file and tells its head, which verify takes', async () => {
    const texts = await lines(3)
    const head = `3:${JSON.parse(texts[2] ?? '').digest}`
    const server = await fakeServer(() => ({
      text: `${texts.join('\n')}\n`,
      headers: { 'content-type': 'application/x-ndjson', 'selvedge-audit-head': head },
    }))
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'audit.jsonl')
    const exported = await command(['audit', 'export', '--out', file])
    expect(exported.code, exported.stderr).toBe(0)
    expect(exported.stderr).toContain(`Head: ${head}`)
    expect(server.asked[0]).toMatchObject({ method: 'GET', path: '/api/audit/export', query: { format: 'jsonl' } })
    expect(await readFile(file, 'utf8')).toBe(`${texts.join('\n')}\n`)
    const verified = await command(['audit', 'verify', file, '--head', head])
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('3 lines, from number 1 on') })
    const other = path.join(folder, 'short.jsonl')
    await writeFile(other, `${texts.slice(0, 2).join('\n')}\n`)
    expect(await command(['audit', 'verify', other])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('--head'),
    })
    const cut = await command(['audit', 'verify', other, '--head', head])
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('were cut off') })
    await writeFile(other, `${texts.join('\n').replace('"a2"', '"x2"')}\n`)
    const changed = await command(['audit', 'verify', other])
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringMatching(/Line 2 of .* was changed/s) })
  })

  it('verifies a trail whose texts hold U+2028 and U+2029, with either end of line', async () => {
    const { command, folder } = await bench()
    const file = path.join(folder, 'audit.jsonl')
    for (const end of ['\n', '\r\n']) {
      await writeFile(file, (await lines(2, { userAgent: 'a\u2028b\u2029c' })).map(text => text + end).join(''))
      const { code, stdout, stderr } = await command(['audit', 'verify', file])
      expect([code, stdout], stderr).toEqual([0, expect.stringContaining('2 lines, from number 1 on')])
    }
  })

  it('refuses formats, heads and organizations that make no sense', async () => {
    const { command, folder } = await bench()
    for (const words of [
      ['export', '--format', 'xml'],
      ['export', '--org', 'demo'],
      ['verify', path.join(folder, 'x'), '--head', 'nonsense'],
    ]) {
      expect((await command(['audit', ...words])).code, words.join(' ')).toBe(2)
    }
    expect((await command(['audit', 'verify', path.join(folder, 'missing')])).code).toBe(1)
  })
})
