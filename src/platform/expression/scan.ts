// Walks an expression just closely enough to know where its code is: not in strings, template texts, regular
// expressions or comments. There it marks the references and blanks the comments; acorn does the parsing.

import { ExpressionSyntaxError } from './errors.ts'
import { type KnownNames, type MarkedSource, ReferenceMarks } from './references.ts'

/** Bracket nesting that acorn takes without running out of stack. */
const BRACKET_DEPTH = 150

const WORD = /[\p{ID_Continue}$\\]+/uy
const SPACE = /\s+/y
/** Words that a value cannot end with, so that a slash behind them opens a regular expression. */
const OPERATOR_WORDS = new Set(['typeof', 'in', 'void', 'delete', 'instanceof', 'new', 'return', 'await'])

export function markReferences(source: string, knownNames?: KnownNames): MarkedSource {
  const marks = new ReferenceMarks(source, knownNames)
  const open: { bracket: string; at: number }[] = []
  let afterValue = false
  let afterArrow = false
  let at = 0

  const inTemplate = (from: number): number => {
    const end = templateTextEnd(source, from)
    const opensCode = source.startsWith('${', end)
    if (opensCode) push('${', end)
    afterValue = !opensCode
    return end + (opensCode ? 2 : 1)
  }
  const push = (bracket: string, position: number): void => {
    open.push({ bracket, at: position })
    if (open.length > BRACKET_DEPTH) throw new ExpressionSyntaxError('nests too deeply', position)
  }

  while (at < source.length) {
    const character = source.charAt(at)
    const space = match(SPACE, source, at)
    if (space) {
      at += space.length
      continue
    }
    const start = at
    const word = match(WORD, source, at)
    if (word) {
      afterValue = !OPERATOR_WORDS.has(word)
      at += word.length
    } else if (source.startsWith('//', at) || source.startsWith('/*', at)) {
      const end = commentEnd(source, at)
      marks.blank(at, end)
      at = end
    } else if (character === "'" || character === '"') {
      at = stringEnd(source, at)
      afterValue = true
    } else if (character === '`') {
      at = inTemplate(at + 1)
    } else if (character === '/' && !afterValue) {
      at = regexEnd(source, at)
      afterValue = true
    } else if (character === '{') {
      const end = marks.mark(at, afterArrow)
      if (end === undefined) push('{', at)
      afterValue = end !== undefined
      at = end ?? at + 1
    } else if (character === '}') {
      afterValue = true
      at = open.pop()?.bracket === '${' ? inTemplate(at + 1) : at + 1
    } else if (source.startsWith('=>', at)) {
      afterValue = false
      at += 2
    } else {
      if (character === '(' || character === '[') push(character, at)
      if (character === ')' || character === ']') open.pop()
      afterValue = character === ')' || character === ']'
      at += 1
    }
    afterArrow = source.startsWith('=>', start)
  }
  return marks.finish(open.at(-1)?.at)
}

function match(sticky: RegExp, source: string, at: number): string | undefined {
  sticky.lastIndex = at
  return sticky.exec(source)?.[0]
}

function commentEnd(source: string, at: number): number {
  const line = source[at + 1] === '/'
  const end = line ? source.slice(at).search(/[\r\n]/) : source.indexOf('*/', at + 2)
  if (end === -1) {
    if (line) return source.length
    throw new ExpressionSyntaxError('a comment is not closed', at, 'broken')
  }
  return line ? at + end : end + 2
}

function stringEnd(source: string, start: number): number {
  const quote = source[start]
  let at = start + 1
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
  return at + 1
}

/** The offset of the closing backtick or of the next `${`. */
function templateTextEnd(source: string, start: number): number {
  let at = start
  while (at < source.length && source[at] !== '`' && !source.startsWith('${', at)) at += source[at] === '\\' ? 2 : 1
  return at
}

function regexEnd(source: string, start: number): number {
  let inClass = false
  let at = start + 1
  while (at < source.length && (inClass || source[at] !== '/')) {
    if (source[at] === '[') inClass = true
    if (source[at] === ']') inClass = false
    at += source[at] === '\\' ? 2 : 1
  }
  return at + 1
}
