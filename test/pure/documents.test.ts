// Every Markdown file of the tree: its links lead somewhere, the paths and the commands that it names are there.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { GUIDES, INDEX } from '../../src/scripts/guides/contents.ts'
import { anchorOf } from '../../src/scripts/guides/markdown.ts'
import { markdownFiles, read, root, withoutFences } from '../markdown.ts'

const files = markdownFiles()
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)

/** The first folder of a path that stands for a file of the tree. */
const IN_TREE = /^(src|test|drizzle|\.github|\.ci)\//
/** Names in braces and the like stand for many. */
const PATTERN = /[{}*<>…]/

function anchorsIn(file: string): string[] {
  const headings = withoutFences(read(file)).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) => anchorOf(heading.replaceAll(/[`*]/g, '')))
}

/** Why a link of a file leads nowhere. */
function linkFault(file: string, href: string): string | undefined {
  const [target = '', anchor] = href.split('#')
  const named = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
  if (!existsSync(path.join(root, named))) return `${file}: there is no ${named}`
  if (anchor && !anchorsIn(named).includes(anchor)) return `${file}: there is no ${named}#${anchor}`
  return undefined
}

function linksOf(file: string): string[] {
  const found = withoutFences(read(file)).matchAll(/\]\(([^)\s]+)\)/g)
  return [...found].map(([, href = '']) => href)
}

describe('the documents', () => {
  it('are there', () => {
    expect(files).toEqual(expect.arrayContaining(['README.md', 'test/README.md', ...GUIDES.map(guide => guide.file)]))
  })

  it.each(files)('%s links to what is there', file => {
    const relative = linksOf(file).filter(href => !/^[a-z]+:/.test(href))
    expect(relative.flatMap(href => linkFault(file, href) ?? [])).toEqual([])
  })

  it.each(files)('%s names paths and commands that are there', file => {
    const spans = [...withoutFences(read(file)).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
    const paths = spans.filter(span => IN_TREE.test(span) && !PATTERN.test(span) && !span.includes(' '))
    expect(paths.filter(named => !existsSync(path.join(root, named)))).toEqual([])
    const commands = [...read(file).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script = '']) => script)
    expect(commands.filter(command => !scripts.includes(command))).toEqual([])
  })

  it('the index of the guides leads to each of them', () => {
    const linked = linksOf(INDEX.file).map(href =>
      path.posix.join(path.posix.dirname(INDEX.file), href.split('#')[0] ?? ''),
    )
    const missing = GUIDES.filter(guide => guide !== INDEX && !linked.includes(guide.file)).map(({ file }) => file)
    expect(missing).toEqual([])
  })
})

describe('the README', () => {
  const readme = read('README.md')
  const contributing = read('.github/CONTRIBUTING.md')

  it('is short enough to be read', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(121)
  })

  it('leaves to CONTRIBUTING a map on which every folder stands', () => {
    const map = /### Map of the tree\n\n```text\n(.*?)```/s.exec(contributing)?.[1] ?? ''
    for (const folder of ['src/features', 'src/platform', 'src/clients', 'test']) {
      const missing = foldersOf(folder).filter(name => !new RegExp(`(^|\\s)${name}\\b`, 'm').test(map))
      expect(missing, folder).toEqual([])
    }
  })
})

function foldersOf(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory()).map(entry => entry.name)
}
