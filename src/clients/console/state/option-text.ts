// The options of a property as text: one in each line, `SS27 = Spring 2027` where the label is another than the value.
// A backslash takes the next character as it is. Pure.
import type { TypeProperty } from '../../typescript/index.ts'

/** What would be read otherwise: `=`, a backslash, spaces at the ends, line breaks. */
const escaped = (text: string) =>
  [...text]
    .map((sign, at, all) => {
      const isEnd = at === 0 || at === all.length - 1
      if (sign === '\n') return '\\n'
      if (sign === '\r') return '\\r'
      return sign === '\\' || sign === '=' || (isEnd && sign.trim() === '') ? `\\${sign}` : sign
    })
    .join('')

export function optionsText({ options }: Pick<TypeProperty, 'options'>): string {
  return (options ?? [])
    .map(option => (typeof option === 'string' ? { value: option } : option))
    .map(({ value, label }) => (!label || label === value ? escaped(value) : `${escaped(value)} = ${escaped(label)}`))
    .join('\n')
}

export function optionsOf(text: string): { value: string; label?: string }[] {
  return text.split('\n').flatMap(line => {
    const [value = '', ...more] = partsOf(line)
    if (value === '') return []
    return more.length === 0 ? [{ value }] : [{ value, label: more.join('=') }]
  })
}

const BREAKS: Record<string, string> = { n: '\n', r: '\r' }

/** What stands between signs of equality, without the spaces around it. */
function partsOf(line: string): string[] {
  const parts: string[] = []
  let part = ''
  /** How much of the part is kept, whatever spaces follow. */
  let kept = 0
  const end = () => {
    parts.push(part.slice(0, kept) + part.slice(kept).trimEnd())
    part = ''
    kept = 0
  }
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    if (sign === '\\' && at + 1 < line.length) {
      const next = line[++at] ?? ''
      part += BREAKS[next] ?? next
      kept = part.length
    } else if (sign === '=') end()
    else if (part !== '' || sign.trim() !== '') part += sign
  }
  end()
  return parts
}
