// Numbers as the reader's own language writes them: what is shown reads back as the same number, and what may be two numbers is
// none. Pure.

export type ReadNumber = { value: number } | { fault: string }

const BLANKS = String.raw`[\s'’]`
const BY_BLANKS = new RegExp(String.raw`^\d{1,3}(?:${BLANKS}\d{2,3})*${BLANKS}\d{3}(?![\d\s'’])`)
const WRITTEN = /^([+-]?)([\d.,]+)(e[+-]?\d+)?$/i
const NO_NUMBER = 'This is no number.'

export function numbersOf(language?: string) {
  // Twenty is all that is possible: nothing is rounded.
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 20 })
  const parts = format.formatToParts(1_234_567.5)
  const partOf = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const [decimal, group] = [partOf('decimal'), partOf('group')]
  const digits = [...new Intl.NumberFormat(language, { useGrouping: false }).format(9_876_543_210)].reverse()
  const own = { decimal: decimal === ',' ? ',' : '.', group: group === '.' || group === ',' ? group : '' }

  /** Ours for what only this language has; others stay. */
  const plain = (text: string) =>
    [...text.replaceAll(/[\u200e\u200f\u061c]/g, '').replaceAll('\u2212', '-')]
      .map(letter => {
        if (digits.includes(letter)) return String(digits.indexOf(letter))
        if (letter === decimal) return own.decimal
        return letter === group && own.group === '' && letter !== '.' && letter !== ',' ? ' ' : letter
      })
      .join('')
      .trim()

  return {
    text: (value: number) => format.format(value),
    /** To edit: nothing between thousands. */
    bareText: (value: number) => String(value).replace('.', own.decimal),
    read(text: string): ReadNumber {
      const [, sign = '', rest = ''] = /^([+-]?)\s*(.*)$/.exec(plain(text)) ?? []
      const body = BY_BLANKS.test(rest) ? rest.replaceAll(new RegExp(BLANKS, 'g'), '') : rest
      const [, , number, power = ''] = WRITTEN.exec(sign + body) ?? []
      if (number === undefined) return { fault: NO_NUMBER }
      const meant = meaningsOf(number, own)
      const [first, second] = meant.map(each => Number(sign + each + power))
      if (first === undefined || !Number.isFinite(first)) return { fault: NO_NUMBER }
      if (second === undefined) return { value: first }
      const [one, other] = [first, second].map(each => String(each).replace('.', own.decimal))
      return { fault: `Write ${one} or ${other}: this may be either.` }
    },
  }
}

const isGrouped = (text: string, mark: string) => {
  const [first = '', ...rest] = text.split(mark)
  const last = rest.at(-1)
  return /^[1-9]\d{0,2}$/.test(first) && last?.length === 3 && rest.every(({ length }) => length === 2 || length === 3)
}

/** What digits with points and commas between them may mean, written with a point. */
function meaningsOf(text: string, own: { decimal: string; group: string }): string[] {
  const marks = [...text.replaceAll(/\d/g, '')]
  const last = marks.at(-1)
  if (last === undefined) return [text]
  const other = last === '.' ? ',' : '.'
  const bare = text.replaceAll(other, '').replaceAll(last, '')
  const isOnce = marks.filter(mark => mark === last).length === 1
  if (marks.includes(other)) {
    const [whole = '', fraction = ''] = text.split(last)
    return isOnce && isGrouped(whole, other) ? [`${whole.replaceAll(other, '')}.${fraction}`] : []
  }
  const asGroup = isGrouped(text, last) ? [bare] : []
  if (!isOnce) return asGroup
  const asDecimal = /\d/.test(text) ? [text.replace(last, '.')] : []
  if (last === own.decimal || asGroup.length === 0) return asDecimal
  return last === own.group ? asGroup : [...asGroup, ...asDecimal]
}

/** In the language of whoever looks. */
export const numbers = numbersOf()
