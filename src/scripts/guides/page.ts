// The one template of all guides. Pure.
import { CHAPTERS, GUIDES, type Guide, INDEX } from './contents.ts'
import { escaped, type Heading, type Rendered } from './markdown.ts'

export type Pages = ReadonlyMap<string, Rendered>

/** Nothing but our own style sheet and icon; no script at all. */
export const CONTENT_SECURITY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const titleOf = (pages: Pages, guide: Guide) => escaped(pages.get(guide.name)?.title ?? guide.name)

function linkTo(pages: Pages, guide: Guide, current: Guide): string {
  const here = guide === current ? ' aria-current="page"' : ''
  return `<a href="/docs/${guide.name}"${here}>${titleOf(pages, guide)}</a>`
}

function contents(pages: Pages, current: Guide): string {
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
  return link(GUIDES[at - 1], 'prev', 'Before') + link(GUIDES[at + 1], 'next', 'Next')
}

export function pageOf(pages: Pages, guide: Guide, { title, summary, html, headings }: Rendered): string {
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
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="mark" href="/docs/guides">Selvedge</a>
<nav aria-label="Documentation"><a href="/docs/guides">Guides</a> <a href="/docs">API reference</a></nav>
</header>
<div class="frame">
<details class="menu"><summary>All guides</summary>
<nav aria-label="Guides">${contents(pages, guide)}</nav></details>
<nav class="side" aria-label="Guides">${contents(pages, guide)}</nav>
<main id="text">
${html}<nav class="neighbours" aria-label="Before and next">${neighbours(pages, guide)}</nav>
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`
}
