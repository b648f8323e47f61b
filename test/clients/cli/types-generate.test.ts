// N54: the file that `types generate` makes, when it is made, and when it is told to be old.
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { javaOf } from '../../../src/clients/cli/generate/java.ts'
import { pythonOf } from '../../../src/clients/cli/generate/python.ts'
import { type TypeModel, typeModels } from '../../../src/clients/cli/generate/type-model.ts'
import { typescriptOf } from '../../../src/clients/cli/generate/typescript.ts'
import { type Asked, fakeServer } from '../fake-server.ts'
import { organizationTypes, ROWS } from '../organization-types.ts'
import { bench } from './command.ts'

const answering = (types: () => unknown) => (asked: Asked) =>
  asked.path === '/api/types' ? { json: types() } : { json: { results: [], nextPageKey: null, syncKey: 'k1' } }

/** The kinds of statement that Python reads in a module; calls other than `TypedDict` are named. */
async function statementsOf(code: string): Promise<string[]> {
  const program = `
import ast, json, sys
tree = ast.parse(sys.stdin.buffer.read())
kinds = {type(each).__name__ for each in tree.body}
calls = {ast.unparse(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)} - {"TypedDict"}
print(json.dumps(sorted(kinds | calls)))`
  const running = promisify(execFile)('python3', ['-c', program])
  running.child.stdin?.end(code)
  return JSON.parse((await running).stdout)
}

describe('N54 types generate', () => {
  it('asks for what is read, and says the same again', async () => {
    const server = await fakeServer(answering(organizationTypes))
    const { folder, command } = await bench(server)
    const out = path.join(folder, 'src/types.ts')
    expect(await command(['types', 'generate', '--out', out])).toMatchObject({ code: 0 })
    expect(server.asked[0]?.query).toEqual({ format: 'json-schema', variant: 'read' })
    const text = await readFile(out, 'utf8')
    expect(text).toContain('/** Price *\\/ of it. An amount of money. */')
    expect(text).toContain('/** Old class. @deprecated */\n  class?: string\n')
    expect(text).toContain('export interface ItemShoe extends Omit<Item, "typePath" | "isNew"> {')
    expect(text).not.toContain('nothing')
    const { mtimeMs } = await stat(out)
    const again = await command(['types', 'generate', '--out', out])
    expect(again.stderr).toContain('up to date')
    expect((await stat(out)).mtimeMs).toBe(mtimeMs)
    expect(await command(['types', 'generate', '--out', out, '--check'])).toMatchObject({ code: 0 })
  })

  it('makes the same from a saved answer, whatever the order of its types', async () => {
    const { folder, command } = await bench()
    const [saved, turned] = [path.join(folder, 'a.json'), path.join(folder, 'b.json')]
    const { $defs, ...rest } = organizationTypes()
    await writeFile(saved, JSON.stringify({ ...rest, $defs }))
    const entries = Object.entries($defs as object).reverse()
    await writeFile(turned, JSON.stringify({ $defs: Object.fromEntries(entries) }))
    const made = await Promise.all(
      [saved, turned].map(async from => {
        const out = `${from}.ts`
        expect((await command(['types', 'generate', '--from', from, '--out', out])).code).toBe(0)
        return readFile(out, 'utf8')
      }),
    )
    expect(made[0]).toBe(made[1])
  })

  it('--check fails where a type has changed, or there is no file, and writes nothing', async () => {
    let rows = ROWS
    const server = await fakeServer(answering(() => organizationTypes(rows)))
    const { folder, command } = await bench(server)
    const out = path.join(folder, 'types.ts')
    const check = () => command(['types', 'generate', '--out', out, '--check'])
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file') })
    await command(['types', 'generate', '--out', out])
    const before = await readFile(out, 'utf8')
    rows = ROWS.slice(1)
    expect(await check()).toMatchObject({ code: 1, stderr: expect.stringMatching(/differs from line \d+ on/) })
    expect(await readFile(out, 'utf8')).toBe(before)
  })

  it('--watch writes at the start, and again when the history tells of a changed type', async () => {
    let rows: typeof ROWS = ROWS.slice(1)
    const out = { file: '' }
    const ended = new AbortController()
    const server = await fakeServer(async asked => {
      if (asked.path === '/api/types') return { json: organizationTypes(rows) }
      if (asked.query.after === undefined) return { json: { results: [], nextPageKey: null, syncKey: 'k1' } }
      if (asked.query.after === 'k1') {
        expect(await readFile(out.file, 'utf8')).not.toContain('season?:')
        rows = ROWS
        return { json: { results: [{ id: '1' }], nextPageKey: null, syncKey: 'k2' } }
      }
      expect(await readFile(out.file, 'utf8')).toContain('season?:')
      ended.abort()
      return { json: { results: [], nextPageKey: null, syncKey: 'k2' } }
    })
    const { folder, command } = await bench(server)
    out.file = path.join(folder, 'types.ts')
    const words = ['types', 'generate', '--out', out.file, '--watch', '--interval', '1']
    expect((await command(words, { signal: ended.signal })).code).toBe(130)
    const histories = server.asked.filter(({ path: asked }) => asked === '/api/change-history')
    expect(histories.map(({ query }) => query.criteria)).toContain('{"entityType":"type"}')
    expect(await readFile(out.file, 'utf8')).toContain('season?:')
  })

  it('makes records of Java in one class', async () => {
    const { folder, command } = await bench()
    const [from, out] = [path.join(folder, 'types.json'), path.join(folder, 'ProductTypes.java')]
    await writeFile(from, JSON.stringify(organizationTypes()))
    const words = ['types', 'generate', '--language', 'java', '--package', 'com.example', '--from', from, '--out']
    expect((await command([...words, out])).code).toBe(0)
    const text = await readFile(out, 'utf8')
    expect(text).toMatch(/^package com\.example;$/m)
    expect(text).toMatch(/@JsonProperty\("launch date"\) String launchDate,$/m)
    expect(text).toMatch(/@Deprecated @JsonProperty\("class"\) String _class,$/m)
    expect(text).toMatch(/List<String> markets,$/m)
    expect(text).toContain('public static final String TYPE_PATH = "item:shoe";')
    expect(await command([...words, path.join(folder, 'Item.java')])).toMatchObject({ code: 2 })
    expect(await command([...words, path.join(folder, 'my-types.java')])).toMatchObject({ code: 2 })
  })

  it('makes TypedDicts of Python', async () => {
    const { folder, command } = await bench()
    const [from, out] = [path.join(folder, 'types.json'), path.join(folder, 'product_types.py')]
    await writeFile(from, JSON.stringify(organizationTypes()))
    const ran = await command(['types', 'generate', '--language', 'python', '--from', from, '--out', out])
    expect(ran).toMatchObject({ code: 0 })
    const text = await readFile(out, 'utf8')
    // "class" and "launch date" are no names in Python, so that such a type takes the form of a call.
    expect(text).toMatch(/^ItemShoe = TypedDict\($/m)
    expect(text).toContain('        "typePath": Literal["item:shoe"],\n')
    expect(text).toContain('        "heel": float,\n')
    expect(text).toContain('        "launch date": NotRequired[str],\n')
    expect(text).toContain('        "heel": NotRequired[float],\n')
    expect(text).toMatch(/"markets": NotRequired\[list\[.*\] \| None\],/)
    expect(text).toContain('class WorkspaceCreate(TypedDict):\n    """`workspace`, to create"""\n')
    expect(await statementsOf(text)).toEqual(['Assign', 'ClassDef', 'Expr', 'ImportFrom'])
  })

  it('lets no label of anybody be code of Python', async () => {
    const ends = [
      '"""',
      '\\"""',
      '\n',
      '\r\n',
      '\u2028',
      '\u0085',
      '\\N{QUOTATION MARK}',
      "'''",
      '\u0000',
      '\f',
      '\\',
      '"',
    ]
    const rows = ends.flatMap((end, at) => {
      const label = `${end} INJECTED() ${end}`
      const plain = [{ slug: 'a', label, propertyType: 'number' as const }]
      const named = [{ slug: 'b b', label, propertyType: 'choice' as const, options: [label] }]
      return [
        { typePath: `color:t${at}`, label, properties: plain },
        { typePath: `item:t${at}`, label, properties: named },
      ]
    })
    const code = pythonOf(typeModels(organizationTypes(rows)))
    expect(code.match(/INJECTED/g)?.length).toBeGreaterThanOrEqual(4 * ends.length)
    expect(await statementsOf(code)).toEqual(['Assign', 'ClassDef', 'Expr', 'ImportFrom'])
  })

  it.each([
    ['java', (models: TypeModel[]) => javaOf(models, 'Types')],
    ['typescript', typescriptOf],
  ])('lets no label of anybody be code of %s', (language, codeOf) => {
    const ends = ['*{/', '*<@/', '*\u0000/', '**{}//', '\\u002a\\u002f', '*\\u002f', '*<#92;u002f', '*\n/', '*\\/']
    const rows = ends.map((end, at) => {
      const label = `${end} INJECTED /*`
      return { typePath: `item:t${at}`, label, properties: [{ slug: 'a', label, propertyType: 'number' as const }] }
    })
    const code = codeOf(typeModels(organizationTypes(rows)))
    expect(code.match(/INJECTED/g)?.length).toBeGreaterThanOrEqual(2 * ends.length)
    // Java reads such escapes before anything else.
    const escapes = language === 'java' ? /\\u+([0-9a-f]{4})/g : /$^/g
    const read = code.replaceAll(escapes, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    expect(read.replaceAll(/\/\*[\s\S]*?\*\//g, '').includes('INJECTED')).toBe(false)
  })

  it('makes of any slugs names that Java takes, each another one', () => {
    const slugs = ['m²', '½', '①', 'm½', 'm', 'm ③', 'Ⅷ', '٣']
    const properties = slugs.map(slug => ({ slug, propertyType: 'number' as const }))
    const code = javaOf(typeModels(organizationTypes([{ typePath: 'item:t', label: null, properties }])), 'Types')
    const record = code.slice(code.indexOf('record ItemT('))
    const names = [...record.slice(0, record.indexOf('{')).matchAll(/Double (\S+?)[,)]/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(slugs.length)
    for (const name of names) expect(name).toMatch(/^[\p{L}_$][\p{L}\p{Nd}\p{Nl}_$]*$/u)
  })

  it.each([
    [['--watch', '--check'], 'neither'],
    [['--from', '{"$defs": {}}'], 'not what types are made from'],
    [['--from', '[]'], 'not what types are made from'],
    [['--language', 'cobol'], 'cobol'],
  ])('refuses %j', async (words, said) => {
    const server = await fakeServer(answering(organizationTypes))
    const { folder, command } = await bench(server)
    const ran = await command(['types', 'generate', '--out', path.join(folder, 'types.ts'), ...words])
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
  })
})
