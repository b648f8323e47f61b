// What is typed, and what is sent of it.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

const made = () =>
  fakeServer(({ json }) => ({ status: 201, json: Array.isArray(json) ? { results: json } : { id: 'i1' } }))

describe('documents', () => {
  it.each([
    ['{"name": "a",\n"name": "b"}', 'Map keys must be unique'],
    ['name: a\nname: b', 'Map keys must be unique'],
    [Buffer.from('name: Gr\u00fc\u00dfe', 'latin1'), 'is not UTF-8'],
    [Buffer.from('PK\u0003\u0004\u0014\u0000'), 'is an Excel workbook.'],
  ])('that do not say one thing are refused: %j', async (document, message) => {
    const server = await made()
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'document')
    await writeFile(file, document)
    const { code, stderr } = await command(['entities', 'create', 'item', file])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(server.asked).toEqual([])
  })
})

describe('numbers (N69)', () => {
  it.each([
    ['{"code": 9007199254740993}', '9007199254740993'],
    ['{"code": [{"a": -12345678901234567891}]}', '-12345678901234567891'],
    ['{"price": 1e400}', '1e400'],
    ['code: 9007199254740993', '9007199254740993'],
    ['a: {code: [+9007199254740993]}', '+9007199254740993'],
    ['code: 0x20000000000001', '0x20000000000001'],
    ['9007199254740993: name', '9007199254740993'],
    ['price: .inf', '.inf'],
  ])('that would be sent as another one are refused: %s', async (document, number) => {
    const server = await made()
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'document')
    await writeFile(file, document)
    const { code, stderr } = await command(['entities', 'create', 'item', file])
    expect(code).toBe(2)
    expect(stderr).toContain(`The number ${number} in ${file} cannot be sent as it is.`)
    expect(stderr).toContain(`"${number}"`)
    expect(server.asked).toEqual([])
  })

  it('are refused in --set, --where and lines of an import, too', async () => {
    const server = await made()
    const { command } = await bench(server)
    const set = await command(['entities', 'create', 'item', '--set', 'code=9007199254740993'])
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining(`'"9007199254740993"'`)])
    expect((await command(['entities', 'create', 'item', '--set', 'price=1e400'])).code).toBe(2)
    expect((await command(['entities', 'create', 'item', '--set', 'list=[9007199254740993]'])).code).toBe(2)
    expect((await command(['entities', 'list', 'item', '--where', 'price>9007199254740993'])).code).toBe(2)
    const stdin = '{"a":1}\n{"a":9007199254740993}\n'
    const imported = await command(['entities', 'import', 'item', '-'], { stdin })
    expect([imported.code, imported.stderr]).toEqual([2, expect.stringContaining('line 2')])
    expect(server.asked).toEqual([])
  })

  it('are sent where they can be held, and as text whatever they are', async () => {
    const server = await made()
    const { command } = await bench(server)
    const document = '{"a": 9007199254740992, "b": "9007199254740993 \\" 1e400", "c": 0.25000000000000006, "d": 1e300}'
    expect((await command(['entities', 'create', 'item', document, '--set', 'e="9007199254740993"'])).code).toBe(0)
    expect(server.asked[0]?.json).toEqual({
      a: 9007199254740992,
      b: '9007199254740993 " 1e400',
      c: 0.25000000000000006,
      d: 1e300,
      e: '9007199254740993',
    })
    expect((await command(['entities', 'create', 'item', '-'], { stdin: 'a: "9007199254740993"\nb: 0x10' })).code).toBe(
      0,
    )
    expect(server.asked[1]?.json).toEqual({ a: '9007199254740993', b: 16 })
  })
})

describe('names that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString'])('are names like any other: %s', async name => {
    const server = await fakeServer(() => ({ json: { id: 'i1', results: [], nextPageKey: null } }))
    const { command } = await bench(server)
    const list = ['entities', 'list', 'item', '--where', `${name}=x`, '--or', `${name}^=y`]
    const ran = [await command(list), await command(['entities', 'create', 'item', '--set', `${name}={"a":1}`])]
    expect(ran.map(({ code }) => code)).toEqual([0, 0])
    const [listed, created] = server.asked
    expect(listed?.query.criteria).toBe(`{"${name}":"x","or":[{"${name}":{"startsWith":"y"}}]}`)
    expect(created?.body.toString()).toBe(`{"${name}":{"a":1}}`)
    expect((await command([...list, '--where', `${name}=z`])).stderr).toContain(`--where asks ${name} twice for eq.`)
  })
})

describe('stdin that nobody writes to', () => {
  it.each([
    [['entities', 'create', 'item', '-']],
    [['entities', 'import', 'item', '-']],
    [['files', 'upload', '-']],
    [['load', 'upload-and-load', '-', '{"loadType": ["ITEM"]}']],
  ])('is left when the command is interrupted: %j', async words => {
    const { command } = await bench(await fakeServer(() => ({ json: {} })))
    const interruption = new AbortController()
    const stdin = new PassThrough()
    const ran = command(words, { stdin, signal: interruption.signal })
    await vi.waitUntil(() => stdin.listenerCount('readable') > 0)
    interruption.abort(new DOMException('Interrupted', 'AbortError'))
    expect(await ran).toMatchObject({ code: 130, stdout: '', stderr: expect.stringMatching(/Interrupted\.\n$/) })
    expect(stdin.destroyed).toBe(true)
  })
})

describe('a byte order mark', () => {
  it('is no part of a document', async () => {
    const server = await made()
    const { command, folder } = await bench(server)
    const file = path.join(folder, 'document')
    for (const document of ['{"name": "A"}', 'name: A']) {
      await writeFile(file, `\uFEFF${document}`)
      expect((await command(['entities', 'create', 'item', file])).code).toBe(0)
    }
    await writeFile(file, '\uFEFF{"name":"A"}\n{"name":"B"}\n')
    expect((await command(['entities', 'import', 'item', file])).code).toBe(0)
    expect(server.asked.map(({ json }) => json)).toEqual([{ name: 'A' }, { name: 'A' }, [{ name: 'A' }, { name: 'B' }]])
  })
})

describe('entities import', () => {
  it('takes a line for what a line feed ends, whatever else is in it', async () => {
    const server = await made()
    const { command } = await bench(server)
    const names = ['a\u2028b', 'c\u2029d', 'e\u0085f']
    const stdin = `${names.map(name => JSON.stringify({ name })).join('\r\n')}\n\n{"name":"last"}`
    const { code, stderr } = await command(['entities', 'import', 'item', '-'], { stdin })
    expect(code, stderr).toBe(0)
    expect(server.asked[0]?.json).toEqual([...names, 'last'].map(name => ({ name })))
  })

  it('sends batches of a size that is counted in bytes, as the service does', async () => {
    const server = await made()
    const { command } = await bench(server)
    const line = JSON.stringify({ name: '\u8863'.repeat(500_000) })
    const longer = JSON.stringify({ name: '\u8863'.repeat(1_400_000) })
    const { code } = await command(['entities', 'import', 'item', '-'], {
      stdin: [longer, line, line, line].join('\n'),
    })
    expect(code).toBe(0)
    expect(server.asked.map(({ json }) => (json as unknown[]).length)).toEqual([1, 2, 1])
  })
})
