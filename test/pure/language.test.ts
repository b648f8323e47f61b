// A smoke alarm for plain language: constructions that readers stumble over, counted apart in sources and tests. A
// count may only fall; lower the figure here when it does.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const TEXT = /\.(tsx?|md|java|py|sql|css)$/
const LEFT_OUT = /(^|\/)(node_modules|target|dist|meta|\.venv)(\/|$)|^test\/pure\/language\.test\.ts$/

const HARD_TO_READ =
  /\b(whoever|whatever|whichever|somebody|nobody|told of|tells of|in company|lets? (?:\w+ )?pass|gives? way|is owed|by itself|by themselves|stands? in|lies in|comes to its end|without further ado|so that it is)\b/i
const SENTENCE_WORDS_MAX = 35

/** Lines that still hold one. */
const HARD_LINES: Record<string, number> = { src: 514, test: 455, drizzle: 0 }
/** Sentences of pages that are still longer. */
const LONG_SENTENCES = 8

function textFiles(folder: string): { file: string; text: string }[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(entry => `${folder}/${entry.replaceAll(path.sep, '/')}`)
    .filter(file => TEXT.test(file) && !LEFT_OUT.test(file))
    .map(file => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
}

/** The prose of a page: paragraphs and list items, without code, tables and headings. */
function sentencesOf(page: string): string[] {
  const prose = page
    .replaceAll(/^```[\s\S]*?^```/gm, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .filter(part => !/^\s*[|#<!]/.test(part))
    .map(part => part.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' '))
  return prose.flatMap(part => part.split(/(?<=[.:;?!]) /))
}

describe('language', () => {
  it('no construction that language.md rules out is added to sources or tests', () => {
    const found = Object.fromEntries(
      Object.keys(HARD_LINES).map(folder => {
        const lines = textFiles(folder).flatMap(({ text }) => text.split('\n'))
        return [folder, lines.filter(line => HARD_TO_READ.test(line)).length]
      }),
    )
    expect(Object.entries(found).filter(([folder, count]) => count > (HARD_LINES[folder] ?? 0))).toEqual([])
  })

  it(`no page gains a sentence of more than ${SENTENCE_WORDS_MAX} words`, () => {
    const pages = textFiles('src').filter(({ file }) => file.endsWith('.md'))
    const long = pages.flatMap(({ file, text }) =>
      sentencesOf(text)
        .filter(sentence => sentence.split(' ').length > SENTENCE_WORDS_MAX)
        .map(sentence => `${file}: ${sentence}`),
    )
    expect(long.length > LONG_SENTENCES ? long : []).toEqual([])
  })
})
