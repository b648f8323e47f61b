// Markdown as the guides use it, to HTML that can be read without a script.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { GUIDES } from './contents.ts'
import { escaped } from './escape.ts'
import { highlighted } from './highlight.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const REPOSITORY = 'https://github.com/selvedge/selvedge/blob/main/'

export interface Heading {
  id: string
  text: string
}

export interface Rendered {
  title: string
  /** The first paragraph, without marks. */
  summary: string
  html: string
  /** Of the second level: what a list of contents shows. */
  headings: Heading[]
  sections: Section[]
}

/** What the search finds: the text below one heading. */
export interface Section {
  id: string
  heading: string
  text: string
}

/** As GitHub makes them, so that a link to a heading works there too. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Where a link of a file leads on the pages: a guide, or else the file in the repository. */
export function addressOf(href: string, file: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [target = '', anchor] = href.split('#')
  const named = path.posix.join(path.posix.dirname(file), target)
  const guide = GUIDES.find(candidate => candidate.file === named)
  const address = guide ? `/docs/${guide.name}` : REPOSITORY + named
  return anchor ? `${address}#${anchor}` : address
}

/** `yaml title=styles.yaml` → the language and the name of the file to save it as. */
export function fenceOf(info: string): { language: string; title: string | undefined } {
  const [language = '', ...words] = info.split(/\s+/)
  const title = words.find(word => word.startsWith('title='))?.slice('title='.length)
  return { language, title }
}

const withoutMarks = (text: string) => text.replaceAll(/[`*]|!?\[([^\]]*)\]\([^)]*\)/g, '$1')

/** The same links in the Markdown of a page: to the Markdown of other pages. */
export function asMarkdown(text: string, file: string): string {
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (_, href: string) => {
    const [address = '', anchor] = addressOf(href, file).split('#')
    const page = address.startsWith('/docs/') ? `${address}.md` : address
    return `](${anchor ? `${page}#${anchor}` : page})`
  })
}

export async function render(text: string, file: string): Promise<Rendered> {
  const headings: Heading[] = []
  const codes = new Map<string, string>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(withoutMarks(text))
        if (depth === 2) headings.push({ id, text: withoutMarks(text) })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(addressOf(href, file))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text: label }) {
        // A drawing stands in the page itself, so that it has the colors of the theme.
        const drawing = readFileSync(path.join(root, path.dirname(file), href), 'utf8')
        return `<span class="drawing" role="img" aria-label="${escaped(label)}">${drawing}</span>`
      },
      code({ text, lang }) {
        const { language, title } = fenceOf(lang ?? '')
        const caption = title ? `<figcaption>${escaped(title)}</figcaption>` : ''
        // A keyboard must be able to move what is wider than the page.
        const code = codes.get(language + text) ?? escaped(text)
        const pre = `<pre tabindex="0"><code class="language-${escaped(language)}">${code}\n</code></pre>`
        return `<figure>${caption}${pre}</figure>\n`
      },
      table({ header, rows }) {
        const cellOf = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        const labels = header.map(({ text }) => escaped(withoutMarks(text)))
        const head = `<thead><tr>${header.map(cell => `<th>${cellOf(cell)}</th>`).join('')}</tr></thead>`
        const body = rows.map(
          cells =>
            `<tr>${cells.map((cell, at) => `<td data-label="${labels[at]}">${cellOf(cell)}</td>`).join('')}</tr>`,
        )
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body.join('\n')}</tbody></table></div>\n`
      },
      html: ({ text }) => escaped(text),
    },
  })
  const tokens = marked.lexer(text)
  for (const token of tokens) {
    if (token.type !== 'code') continue
    const { language } = fenceOf(token.lang ?? '')
    codes.set(language + token.text, await highlighted(token.text, language))
  }
  const paragraph = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph')
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading')
  return {
    title: withoutMarks(title?.text ?? ''),
    summary: withoutMarks(paragraph?.text ?? '').replaceAll('\n', ' '),
    html: marked.parser(tokens),
    headings,
    sections: sectionsOf(tokens),
  }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth <= 3) {
      const heading = withoutMarks(token.text)
      sections.push({ id: token.depth === 1 ? '' : anchorOf(heading), heading, text: '' })
    } else {
      const last = sections.at(-1)
      if (last && token.type !== 'space') last.text += `${plainText(token)} `
    }
  }
  return sections.map(section => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }))
}

/** What a reader sees of a block: no marks, no addresses, no rules of tables. */
function plainText(token: Token): string {
  if (token.type === 'code') return token.text
  return withoutMarks(token.raw.replaceAll(/^\|[-| ]+\|$/gm, ' ').replaceAll(/\|/g, ' '))
}
