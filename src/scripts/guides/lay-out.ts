// The guides and error pages as static assets: HTML, the same text as Markdown, the index of the search, the page for an
// unknown address, llms.txt, and the headers that belong to them.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CHAPTERS, ERRORS, GUIDES, type Guide, INDEX } from './contents.ts'
import { CODE_TABLE, ERROR_PAGES } from './error-pages.ts'
import { asMarkdown, type Rendered, render } from './markdown.ts'
import { CONTENT_SECURITY, type Pages, pageOf } from './page.ts'

const root = path.resolve(import.meta.dirname, '../../..')

const NOT_FOUND = `# Page not found

There is nothing at this address. Search above, or start with one of these:

- [Guides](/docs/guides)
- [API reference](/docs)
- [Errors](/docs/errors)
`

const textOf = (guide: Guide) =>
  readFileSync(path.join(root, guide.file), 'utf8') + (guide === ERRORS ? `\n${CODE_TABLE}` : '')

/** `assets` is the folder that the Worker serves as its static assets. */
export async function layOutGuides(assets: string): Promise<void> {
  const target = path.join(assets, 'docs')
  mkdirSync(path.join(target, 'errors'), { recursive: true })
  const sources = [
    ...GUIDES.map(guide => ({ name: guide.name, file: guide.file, text: textOf(guide), guide })),
    ...ERROR_PAGES.map(page => ({ ...page, file: ERRORS.file, guide: ERRORS })),
  ]
  const pages = new Map<string, Rendered>()
  for (const { name, file, text } of sources) pages.set(name, await render(text, file))
  for (const { name, file, text, guide } of sources) {
    const rendered = pages.get(name)
    if (rendered)
      writeFileSync(path.join(target, `${name}.html`), pageOf(pages, { name, rendered, guide, hasMarkdown: true }))
    writeFileSync(path.join(target, `${name}.md`), asMarkdown(text, file))
  }
  const rendered = await render(NOT_FOUND, INDEX.file)
  writeFileSync(path.join(target, '404.html'), pageOf(pages, { name: '404', rendered, hasMarkdown: false }))
  writeFileSync(path.join(target, 'search.json'), JSON.stringify(searchIndex(pages)))
  writeFileSync(path.join(assets, 'llms.txt'), llmsText(pages))
  for (const file of ['guides.css', 'guides.svg', 'guides.js']) {
    copyFileSync(path.join(root, 'src/guides', file), path.join(target, file))
  }
}

/** One entry for each section: address, title of the page, heading, text. */
function searchIndex(pages: Pages): string[][] {
  return [...pages].flatMap(([name, { title, sections }]) =>
    sections.map(({ id, heading, text }) => [`/docs/${name}${id && `#${id}`}`, title, heading, text]),
  )
}

/** The contents for language models (llmstxt.org). */
function llmsText(pages: Pages): string {
  const line = ({ name }: Guide) => {
    const { title = name, summary = '' } = pages.get(name) ?? {}
    return `- [${title}](/docs/${name}.md): ${summary}`
  }
  const chapters = CHAPTERS.map(({ title, guides }) => `## ${title}\n\n${guides.map(line).join('\n')}\n`)
  return `# Selvedge

> An open product-data service on Cloudflare's edge: typed entities with their history, loads from CSV files, and workflows, over one HTTP API.

${line(INDEX)}
- [OpenAPI document](/openapi.json): every operation, parameter and property

${chapters.join('\n')}`
}

export const GUIDE_HEADERS = `/docs/*
  Content-Security-Policy: ${CONTENT_SECURITY}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
`

/** Below their list is where people look for them. */
export const GUIDE_REDIRECTS = '/docs/guides/ /docs/guides 301\n/docs/guides/* /docs/:splat 301\n'
