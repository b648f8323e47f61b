// What a number format makes of a number. The library takes any format with a d, y, h or s in it for a date, and so it takes
// prices in kr. or Fr. for dates, and a month alone for none. Pure.

export type FormatKind = 'number' | 'date' | 'time' | 'duration'

/** Excel's own `[h]:mm:ss` and its times of day, which no workbook spells out. */
const OWN: Readonly<Record<number, FormatKind>> = {
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  45: 'time',
  46: 'duration',
  47: 'time',
}

/** Literal text: currencies and languages, what stands in quotes or behind a backslash, the widths and fillings of `_x` and `*x`. */
const LITERAL = /\[\$[^\]]*\]|"[^"]*"|\\.|[_*]./gsu
const ELAPSED = /\[(?:h+|m+|s+)\]/i
/** Colors and conditions. */
const BRACKETS = /\[[^\]]*\]/g
const PARTS_OF_SECONDS = /(s)[.,]0+/gi

/** Of a format that comes with Excel nothing is known but its number: the library is right about most, and they have no kind here. */
export function kindOfFormat(id: number, code: string | undefined): FormatKind | undefined {
  if (code === undefined) return OWN[id]
  const kinds = code.replace(LITERAL, '').split(';').map(kindOfSection)
  return kinds.find(kind => kind !== 'number') ?? 'number'
}

/** Where digits stand, letters are text that somebody left without quotes. */
function kindOfSection(section: string): FormatKind {
  if (ELAPSED.test(section)) return 'duration'
  const signs = section.replace(BRACKETS, '').replace(PARTS_OF_SECONDS, '$1')
  if (/[0#?]|General/i.test(signs) || !/[ymdhs]/i.test(signs)) return 'number'
  return /[yd]/i.test(signs) || !/[hs]/i.test(signs) ? 'date' : 'time'
}
