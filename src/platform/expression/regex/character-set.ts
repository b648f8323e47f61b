// A set of characters, exact for ASCII and "any or none" beyond it. Sets only ever err on the large side, so that two
// that do not overlap here do not overlap in truth.

const ALL_ASCII = (1n << 128n) - 1n

function bit(code: number): bigint {
  return 1n << BigInt(code)
}

function bits(characters: string): bigint {
  let found = 0n
  for (const character of characters) found |= bit(character.charCodeAt(0))
  return found
}

const DIGITS = bits('0123456789')
const LOWER = bits('abcdefghijklmnopqrstuvwxyz')
const UPPER = LOWER >> 32n
const WORD = DIGITS | LOWER | UPPER | bits('_')
const SPACE = bits(' \t\n\v\f\r')
/** These have a third form beyond ASCII under the flags `iu`: the long s and the Kelvin sign. */
const FOLDING_BEYOND_ASCII = bits('sSkK')

export class CharacterSet {
  private readonly ascii: bigint
  private readonly beyond: boolean

  private constructor(ascii: bigint, beyond: boolean) {
    this.ascii = ascii
    this.beyond = beyond
  }

  static none(): CharacterSet {
    return new CharacterSet(0n, false)
  }

  static all(): CharacterSet {
    return new CharacterSet(ALL_ASCII, true)
  }

  static of(characters: string): CharacterSet {
    return new CharacterSet(bits(characters), false)
  }

  static range(low: number, high: number): CharacterSet {
    let ascii = 0n
    for (let code = low; code <= Math.min(high, 127); code += 1) ascii |= bit(code)
    return new CharacterSet(ascii, high > 127)
  }

  /** `\d`, `\w`, `\s`, their opposites, and `\p`; nothing for an escape of a single character. */
  static escape(letter: string, flags: string): CharacterSet | undefined {
    const folds = flags.includes('i') && flags.includes('u')
    switch (letter) {
      case 'd':
        return new CharacterSet(DIGITS, false)
      case 'D':
        return new CharacterSet(ALL_ASCII & ~DIGITS, true)
      case 'w':
        return new CharacterSet(WORD, folds)
      case 'W':
        return new CharacterSet((ALL_ASCII & ~WORD) | (folds ? FOLDING_BEYOND_ASCII : 0n), true)
      case 's':
        return new CharacterSet(SPACE, true)
      case 'S':
        return new CharacterSet(ALL_ASCII & ~SPACE, true)
      case 'p':
      case 'P':
        return flags.includes('u') ? CharacterSet.all() : undefined
      default:
        return undefined
    }
  }

  union(other: CharacterSet): CharacterSet {
    return new CharacterSet(this.ascii | other.ascii, this.beyond || other.beyond)
  }

  complement(): CharacterSet {
    return new CharacterSet(ALL_ASCII & ~this.ascii, true)
  }

  overlaps(other: CharacterSet): boolean {
    return (this.ascii & other.ascii) !== 0n || (this.beyond && other.beyond)
  }

  /** What the set also matches when upper and lower case are one. */
  folded(flags: string): CharacterSet {
    const exact = this.foldedExactly(flags)
    if (!flags.includes('i') || !flags.includes('u')) return exact
    const ascii = exact.beyond ? exact.ascii | FOLDING_BEYOND_ASCII : exact.ascii
    return new CharacterSet(ascii, exact.beyond || (ascii & FOLDING_BEYOND_ASCII) !== 0n)
  }

  /** The same within ASCII alone: never larger than the truth there, so that a complement may be taken. */
  foldedExactly(flags: string): CharacterSet {
    if (!flags.includes('i')) return this
    const letters = this.ascii & (LOWER | UPPER)
    const folded = ((letters & UPPER) << 32n) | ((letters & LOWER) >> 32n)
    return new CharacterSet(this.ascii | folded, this.beyond)
  }
}
