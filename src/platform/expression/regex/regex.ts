import { ExpressionBudgetError, ExpressionSyntaxError } from '../errors.ts'
import type { Evaluation } from '../evaluation.ts'
import { REGEX_PATTERN_CHARACTERS, REGEX_TEXT_CHARACTERS, REGEX_WORK } from '../limits.ts'
import { type RegexCost, regexCost } from './regex-cost.ts'
import { UnsupportedRegex } from './regex-syntax.ts'

/** A regular expression literal whose worst case is known; it is no value and stands only where a method takes it. */
export class SafeRegex {
  private readonly native: RegExp
  private readonly cost: RegexCost
  readonly global: boolean

  constructor(pattern: string, flags: string, position: number) {
    if (pattern.length > REGEX_PATTERN_CHARACTERS) {
      throw new ExpressionSyntaxError(
        `a regular expression of more than ${REGEX_PATTERN_CHARACTERS} characters is not supported`,
        position,
      )
    }
    if (/[^gimsu]/.test(flags)) {
      throw new ExpressionSyntaxError(`the flags "${flags}" of a regular expression are not supported`, position)
    }
    try {
      this.cost = regexCost(pattern, flags)
    } catch (error) {
      if (!(error instanceof UnsupportedRegex)) throw error
      throw new ExpressionSyntaxError(`${error.message} is not supported in a regular expression`, position)
    }
    this.native = new RegExp(pattern, flags)
    this.global = this.native.global
  }

  /** The native expression, ready for this text and no other; its worst case is paid for. */
  forText(evaluation: Evaluation, text: string, everyStart = false): RegExp {
    const exponent = Math.max(1, this.cost.exponent + (everyStart ? 1 : 0))
    const work = this.cost.factor * text.length ** exponent
    if (work > REGEX_WORK || text.length > REGEX_TEXT_CHARACTERS) {
      const longest = Math.min(REGEX_TEXT_CHARACTERS, Math.floor((REGEX_WORK / this.cost.factor) ** (1 / exponent)))
      throw new ExpressionBudgetError(
        `${text.length} characters are too long for ${this.native}, which takes up to ${longest}`,
      )
    }
    evaluation.matching(work)
    // A literal is a new object each time it is reached, so the place where a global one goes on is the start.
    this.native.lastIndex = 0
    return this.native
  }
}
