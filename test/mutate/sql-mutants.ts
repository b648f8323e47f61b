// Mutants of SQL, which stands in templates and strings: its comparisons, joins of conditions, directions.

export interface SqlChange {
  at: number
  length: number
  to: string
}

/** Keywords that no other text of ours has. */
export function isSql(text: string): boolean {
  return /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY|ON CONFLICT)\b/.test(text)
}

const CHANGES: [from: RegExp, to: string][] = [
  [/(?<=\s)<(?=\s|$)/g, '<='],
  [/(?<=\s)<=(?=\s|$)/g, '<'],
  [/(?<=\s)>(?=\s|$)/g, '>='],
  [/(?<=\s)>=(?=\s|$)/g, '>'],
  [/(?<=\s)<>(?=\s|$)/g, '='],
  [/\bAND\b/g, 'OR'],
  [/\bOR\b(?! (REPLACE|IGNORE))/g, 'AND'],
  [/\bDESC\b/g, 'ASC'],
  [/\bASC\b/g, 'DESC'],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/(?<!NOT )(?<!IF )\bEXISTS\b/g, 'NOT EXISTS'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bNOT IN\b/g, 'IN'],
  [/\bmax\(/g, 'min('],
  [/\bmin\(/g, 'max('],
  [/ \+ 1\b/g, ' + 2'],
  [/ - 1\b/g, ' - 2'],
  [/\bDO NOTHING\b/g, 'DO UPDATE SET rowid = rowid'],
]

/** `before`: what the statement says up to here. */
export function sqlChanges(text: string, before: string): SqlChange[] {
  const found = CHANGES.flatMap(([from, to]) =>
    [...text.matchAll(from)].map(match => ({ at: match.index, length: match[0].length, to })),
  )
  return [...found, ...equalities(text, before)].sort((a, b) => a.at - b.at)
}

/** `=` compares, but in `SET a = b` it assigns. */
function equalities(text: string, earlier: string): SqlChange[] {
  return [...text.matchAll(/(?<=\s)=(?=\s|$)/g)].flatMap(match => {
    const before = earlier + text.slice(0, match.index)
    const clause = [...before.matchAll(/\b(SET|WHERE|ON|AND|OR|WHEN|CASE|SELECT|THEN)\b/g)].at(-1)?.[1]
    return clause === undefined || clause === 'SET' ? [] : [{ at: match.index, length: 1, to: '<>' }]
  })
}
