// The one template of all guides and error pages.
import { CHAPTERS, GUIDES, type Guide, INDEX } from './contents.ts'
import { escaped } from './escape.ts'
import type { Heading, Rendered } from './markdown.ts'

export type Pages = ReadonlyMap<string, Rendered>

/** Our own style sheet, script, icon and search index; nothing from elsewhere. */
export const CONTENT_SECURITY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const titleOf = (pages: Pages, guide: Guide) => escaped(pages.get(guide.name)?.title ?? guide.name)

function linkTo(pages: Pages, guide: Guide, current: Guide | undefined): string {
  const here = guide === current ? ' aria-current="page"' : ''
  return `<a href="/docs/${guide.name}"${here}>${titleOf(pages, guide)}</a>`
}

function contents(pages: Pages, current: Guide | undefined): string {
  const list = (guides: readonly Guide[]) =>
    `<ul>${guides.map(guide => `<li>${linkTo(pages, guide, current)}</li>`).join('')}</ul>`
  const chapters = CHAPTERS.map(({ title, guides }) => `<h2>${escaped(title)}</h2>${list(guides)}`)
  return [list([INDEX]), ...chapters].join('\n')
}

function onThisPage(headings: readonly Heading[]): string {
  if (headings.length < 2) return ''
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`)
  return `<nav class="page" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

function neighbours(pages: Pages, current: Guide): string {
  const at = GUIDES.indexOf(current)
  const link = (guide: Guide | undefined, rel: string, word: string) =>
    guide ? `<a rel="${rel}" href="/docs/${guide.name}"><span>${word}</span> ${titleOf(pages, guide)}</a>` : ''
  const links = link(GUIDES[at - 1], 'prev', 'Previous') + link(GUIDES[at + 1], 'next', 'Next')
  return `<nav class="neighbours" aria-label="Previous and next page">${links}</nav>`
}

export interface Page {
  /** The address is /docs/<name>. */
  name: string
  rendered: Rendered
  /** The guide that the lists of contents mark; an error page belongs to the guide on errors. */
  guide?: Guide | undefined
  /** Whether the text is also there as Markdown. */
  hasMarkdown: boolean
}

export function pageOf(pages: Pages, { name, rendered, guide, hasMarkdown }: Page): string {
  const { title, summary, html, headings } = rendered
  const address = `/docs/${name}.md`
  const markdown = hasMarkdown ? `<p class="source"><a href="${address}">This page as Markdown</a></p>\n` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(summary)}">
<title>${escaped(title)} · Selvedge</title>
<link rel="icon" href="/docs/guides.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/guides.css">
<script src="/docs/guides.js" defer></script>
${hasMarkdown ? `<link rel="alternate" type="text/markdown" href="${address}">\n` : ''}</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="mark" href="/docs/guides">Selvedge</a>
<nav aria-label="Documentation"><a href="/docs/guides">Guides</a> <a href="/docs">API reference</a></nav>
<div class="search" role="search" hidden>
<input type="search" aria-label="Search the guides" placeholder="Search" autocomplete="off" spellcheck="false">
<div class="found" aria-live="polite" hidden></div>
</div>
</header>
<div class="frame">
<details class="menu"><summary>All guides</summary>
<nav aria-label="Guides">${contents(pages, guide)}</nav></details>
<nav class="side" aria-label="Guides">${contents(pages, guide)}</nav>
<main id="text">
${html}${markdown}${guide?.name === name ? neighbours(pages, guide) : ''}
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`
}
