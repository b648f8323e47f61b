// Reads the pattern of a regular expression (already found valid by the parser) into the terms that its worst case is
// worked out from, and refuses what is not simple: looking around, back references, repeats of repeats. // N31

import { REGEX_GROUP_DEPTH } from '../limits.ts'
import { CharacterSet } from './character-set.ts'

export type RegexTerm =
  | { kind: 'set'; set: CharacterSet; min: number; max: number }
  | { kind: 'group'; branches: RegexTerm[][]; min: number; max: number }
  | { kind: 'assertion'; source: '^' | '$' | '\\b' }

/** Says what is not supported; the caller knows the position. */
export class UnsupportedRegex extends Error {}

const DASH = 0x2d
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y

export function parseRegex(pattern: string, flags: string): RegexTerm[][] {
  const names = new Set<string>()
  let at = 0
  let depth = 0

  function branches(): RegexTerm[][] {
    const found: RegexTerm[][] = [[]]
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at += 1
        found.push([])
      } else {
        found[found.length - 1]?.push(term())
      }
    }
    return found
  }

  function term(): RegexTerm {
    const character = pattern.charAt(at)
    if (character === '^' || character === '$') {
      at += 1
      return { kind: 'assertion', source: character }
    }
    if (pattern.startsWith('\\b', at) || pattern.startsWith('\\B', at)) {
      at += 2
      return { kind: 'assertion', source: '\\b' }
    }
    if (character === '(') {
      const inner = group()
      const { min, max } = quantifier()
      if (max > 1 && !isFixed(inner)) throw new UnsupportedRegex('a repeat or a choice within a repeat')
      return { kind: 'group', branches: inner, min, max }
    }
    const set = atom()
    return { kind: 'set', set, ...quantifier() }
  }

  function group(): RegexTerm[][] {
    at += 1
    const [prefix = '', name] = /^\?(?::|<([^=!>][^>]*)>)/.exec(pattern.slice(at)) ?? []
    if (prefix === '' && pattern[at] === '?') {
      throw new UnsupportedRegex(
        /[=!<]/.test(pattern.charAt(at + 1)) ? 'looking ahead or behind' : 'a group with flags',
      )
    }
    if (name !== undefined && names.has(name)) throw new UnsupportedRegex('a name that two groups have')
    if (name !== undefined) names.add(name)
    at += prefix.length
    depth += 1
    if (depth > REGEX_GROUP_DEPTH) throw new UnsupportedRegex(`nesting groups deeper than ${REGEX_GROUP_DEPTH}`)
    const inner = branches()
    depth -= 1
    at += 1
    return inner
  }

  function quantifier(): { min: number; max: number } {
    QUANTIFIER.lastIndex = at
    const found = QUANTIFIER.exec(pattern)
    if (!found) return { min: 1, max: 1 }
    at += found[0].length
    const sign = found[0][0]
    if (sign === '*') return { min: 0, max: Infinity }
    if (sign === '+') return { min: 1, max: Infinity }
    if (sign === '?') return { min: 0, max: 1 }
    const min = Number(found[1])
    if (found[2] === undefined) return { min, max: min }
    return { min, max: found[3] ? Number(found[3]) : Infinity }
  }

  function atom(): CharacterSet {
    const character = pattern.charAt(at)
    if (character === '.') {
      at += 1
      return flags.includes('s') ? CharacterSet.all() : CharacterSet.of('\n\r').complement()
    }
    if (character === '[') return characterClass()
    const found = character === '\\' ? escapeSequence() : codePoint()
    return typeof found === 'number' ? CharacterSet.range(found, found).folded(flags) : found
  }

  function codePoint(): number {
    const code = pattern.codePointAt(at) ?? 0
    at += code > 0xffff ? 2 : 1
    return code
  }

  function characterClass(): CharacterSet {
    at += 1
    const negated = pattern[at] === '^'
    if (negated) at += 1
    let set = CharacterSet.none()
    let exact = true
    while (pattern[at] !== ']') {
      if (/^\\[pPW]/.test(pattern.slice(at, at + 2))) exact = false
      const low = classMember()
      const isRange = typeof low === 'number' && pattern[at] === '-' && pattern[at + 1] !== ']'
      if (isRange) at += 1
      const high = isRange ? classMember() : low
      if (typeof low === 'number' && typeof high === 'number') {
        set = set.union(CharacterSet.range(low, high))
      } else {
        // A class beside a dash, as in [a-\d], is no range: it stands for all three.
        for (const member of isRange ? [low, DASH, high] : [low]) {
          set = set.union(typeof member === 'number' ? CharacterSet.range(member, member) : member)
        }
      }
    }
    at += 1
    if (!negated) return set.folded(flags)
    return exact ? set.foldedExactly(flags).complement() : CharacterSet.all()
  }

  function classMember(): number | CharacterSet {
    if (pattern.startsWith('\\b', at)) {
      at += 2
      return 8
    }
    return pattern[at] === '\\' ? escapeSequence() : codePoint()
  }

  function escapeSequence(): number | CharacterSet {
    const letter = pattern.charAt(at + 1)
    if (/[1-9k]/.test(letter)) throw new UnsupportedRegex('a back reference')
    at += 2
    const named = CharacterSet.escape(letter, flags)
    if (named) {
      if (letter === 'p' || letter === 'P') at = pattern.indexOf('}', at) + 1
      return named
    }
    const control = 'tnvfr'.indexOf(letter)
    if (control !== -1) return [9, 10, 11, 12, 13][control] ?? 0
    if (letter === 'c' || /^0\d/.test(pattern.slice(at - 1))) throw new UnsupportedRegex('a control or octal escape')
    if (letter === '0') return 0
    const hex = /^(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/i.exec(pattern.slice(at - 1))
    if (hex && (hex[3] === undefined || flags.includes('u'))) {
      at += hex[0].length - 1
      return Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)
    }
    return letter.codePointAt(0) ?? 0
  }

  return branches()
}

/** A plain sequence that consumes something: the only kind of group that may repeat. */
function isFixed(branches: RegexTerm[][]): boolean {
  const [only] = branches
  if (branches.length !== 1 || !only) return false
  return (
    only.some(term => term.kind !== 'assertion') &&
    only.every(term => {
      if (term.kind === 'assertion') return true
      return term.min === term.max && term.min >= 1 && (term.kind === 'set' || isFixed(term.branches))
    })
  )
}
