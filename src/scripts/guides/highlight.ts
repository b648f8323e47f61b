// Colors code blocks when the pages are made, so that no page carries a highlighter.
import { type ShjLanguage, tokenize } from '@speed-highlight/core'
import { escaped } from './escape.ts'

/** Languages of our fences by the name that the highlighter gives them; all others stay plain. */
const LANGUAGES: Record<string, ShjLanguage> = {
  csv: 'csv',
  http: 'http',
  java: 'java',
  json: 'json',
  python: 'py',
  sh: 'bash',
  toml: 'toml',
  ts: 'ts',
  xml: 'xml',
  yaml: 'yaml',
}

/** The code as HTML. */
export async function highlighted(code: string, language: string): Promise<string> {
  const known = LANGUAGES[language]
  if (!known) return escaped(code)
  let html = ''
  await tokenize(code, known, (text, type) => {
    html += type ? `<span class="t-${type}">${escaped(text)}</span>` : escaped(text)
  })
  return html
}
