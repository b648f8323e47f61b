// Writes every guide as a static page, with its style sheet and its icon; and the headers that belong to them.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { GUIDES } from './contents.ts'
import { render } from './markdown.ts'
import { CONTENT_SECURITY, pageOf } from './page.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** `assets` is the folder that the Worker serves as its static assets. */
export function layOutGuides(assets: string): void {
  const target = path.join(assets, 'docs')
  mkdirSync(target, { recursive: true })
  const pages = new Map(
    GUIDES.map(({ name, file }) => [name, render(readFileSync(path.join(root, file), 'utf8'), file)]),
  )
  for (const guide of GUIDES) {
    const rendered = pages.get(guide.name)
    if (rendered) writeFileSync(path.join(target, `${guide.name}.html`), pageOf(pages, guide, rendered))
  }
  for (const file of ['guides.css', 'guides.svg']) {
    copyFileSync(path.join(root, 'src/guides', file), path.join(target, file))
  }
}

function headersOf(address: string): string {
  return `${address}
  Content-Security-Policy: ${CONTENT_SECURITY}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
`
}

export const GUIDE_HEADERS = GUIDES.map(({ name }) => headersOf(`/docs/${name}`)).join('\n')

/** Below their list is where one looks for them. */
export const GUIDE_REDIRECTS = '/docs/guides/ /docs/guides 301\n/docs/guides/* /docs/:splat 301\n'
