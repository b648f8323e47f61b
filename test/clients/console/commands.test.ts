// The commands that the console's pages name are commands of the program, with options that they have.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { programFor } from '../../../src/clients/cli/program.ts'
import type { World } from '../../../src/clients/cli/terminal.ts'
import { historyCriteria, historyWay } from '../../../src/clients/console/state/history-way.ts'
import { listWay } from '../../../src/clients/console/state/list-way.ts'
import { root } from '../../markdown.ts'

const CONSOLE = path.join(root, 'src/clients/console')
const NAMED = /\bcommand: (?:'([^']*)'|`((?:[^`$]|\$\{[^}]*\})*)`)/g

/** As the pages' sources name them; what is filled in is a word. The operator's wing leaves its own first word out. */
function namedIn(folder: string): string[] {
  return readdirSync(path.join(CONSOLE, folder))
    .filter(name => name.endsWith('.tsx'))
    .flatMap(name => [...readFileSync(path.join(CONSOLE, folder, name), 'utf8').matchAll(NAMED)])
    .map(([, plain, template]) => plain ?? template?.replaceAll(/\$\{[^}]*\}/g, 'WORD') ?? '')
    .flatMap(text => text.split(String.raw`\nselvedge `))
    .filter(text => text !== 'WORD')
    .map(text => (folder === 'operator' ? `operator ${text}` : text))
}

/** What the program would not understand in a line. */
function faultOf(program: Command, line: string): string | undefined {
  let command = program
  const options = [...program.options]
  const words = line.split(' ')
  for (const word of words) {
    const next: Command | undefined = command.commands.find(each => each.name() === word)
    if (!next) break
    command = next
    options.push(...command.options)
  }
  if (command.commands.length > 0) return `${command.name()} alone is no command`
  return words.find(word => word.startsWith('--') && !options.some(({ long }) => long === word))
}

const FOLDERS = ['home', 'product', 'history', 'work', 'imports', 'files', 'types', 'settings', 'operator']

describe('commands that pages name', () => {
  const program = programFor({} as World)

  it('N47 exist, with their options', () => {
    const lines = FOLDERS.flatMap(namedIn)
    expect(lines.length).toBeGreaterThan(20)
    const order = { orderField: 'createdOn', order: 'desc' } as const
    const made = [
      listWay('file', 'files', { criteria: { name: 'a' }, q: 'b', order, limit: 100 }),
      historyWay({ type: 'item', from: '2027-01-01', until: '2027-02-01' }, 50),
    ].map(({ command }) => command ?? '')
    for (const line of [...lines, ...made]) expect([line, faultOf(program, line)]).toEqual([line, undefined])
  })

  it('N47 that do not exist are found out', () => {
    expect(faultOf(program, 'workflows watch WORD')).toBe('workflows alone is no command')
    expect(faultOf(program, 'changes --from WORD')).toBe('--from')
  })
})

describe('the history elsewhere', () => {
  it('N47 is asked for with the type and the days that were chosen', () => {
    const filters = { type: 'item', from: '2027-01-01', until: '2027-02-01' }
    const { path: address, command } = historyWay(filters, 50)
    expect(command).toBe('changes --limit 50 --entity-type item --since 2027-01-01 --until 2027-02-01')
    const criteria = new URLSearchParams(address.slice(address.indexOf('?'))).get('criteria')
    expect(JSON.parse(criteria ?? '')).toEqual(historyCriteria(filters))
    expect(historyWay({ from: '2027-01-01' }, 50).command).toBe('changes --limit 50 --since 2027-01-01')
    expect(historyWay({}, 50)).toMatchObject({ path: '/change-history?limit=50', command: 'changes --limit 50' })
  })
})
