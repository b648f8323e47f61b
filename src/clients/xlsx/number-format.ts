// What a number format makes of a number. The library takes any format with a d, y, h or s in it for a date, and so it takes
// prices in kr. or Fr. for dates. Pure.

export type FormatKind = 'number' | 'date' | 'duration'

/** Excel's own `[h]:mm:ss`, which no workbook spells out. */
const ELAPSED_ID = 46

/** Literal text: currencies and languages, what stands in quotes or behind a backslash, the widths and fillings of `_x` and `*x`. */
const LITERAL = /\[\$[^\]]*\]|"[^"]*"|\\.|[_*]./gsu
const ELAPSED = /\[(?:h+|m+|s+)\]/i
/** Colors and conditions. */
const BRACKETS = /\[[^\]]*\]/g
const PARTS_OF_SECONDS = /(s)[.,]0+/gi

/** Of a format that comes with Excel nothing is known but its number: the library is right about those, but for one. */
export function kindOfFormat(id: number, code: string | undefined): FormatKind {
  if (code === undefined) return id === ELAPSED_ID ? 'duration' : 'date'
  const kinds = code.replace(LITERAL, '').split(';').map(kindOfSection)
  return kinds.find(kind => kind !== 'number') ?? 'number'
}

/** Where digits stand, letters are text that somebody left without quotes. */
function kindOfSection(section: string): FormatKind {
  if (ELAPSED.test(section)) return 'duration'
  const signs = section.replace(BRACKETS, '').replace(PARTS_OF_SECONDS, '$1')
  return /[0#?]/.test(signs) || !/[ymdhs]/i.test(signs) ? 'number' : 'date'
}
