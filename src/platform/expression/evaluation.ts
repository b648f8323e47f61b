import { ExpressionBudgetError } from './errors.ts'
import {
  EVALUATION_CHARACTERS,
  EVALUATION_STEPS,
  REGEX_WORK_PER_STEP,
  SLOW_CHARACTERS_PER_STEP,
  TEXT_CHARACTERS,
} from './limits.ts'

/** Resolves a `{name}` reference; reads own properties only. */
export type Scope = (name: string) => unknown

/** One piece of a compiled expression. */
export type Run = (evaluation: Evaluation) => unknown

/** The result of a part of an optional chain that was cut short by `?.`; it never leaves its chain. */
export const CUT = Object.freeze({})

/** How much of each takes as long as one step; measured. */
const CHARACTERS_A_WORK = 1000
const MATCHING_A_WORK = 80
/** Texts up to this length are compared and converted as quickly as numbers. */
const SHORT_TEXT_CHARACTERS = 256

const NO_SLOTS: unknown[] = []

/**
 * What one evaluation holds: where references come from, the present arguments of arrow functions, and what is left
 * of its budget. Straight-line work is bounded by the length of the source, so only what can repeat is counted.
 */
export class Evaluation {
  readonly scope: Scope
  readonly slots: unknown[]
  private stepsLeft = EVALUATION_STEPS
  private charactersLeft = EVALUATION_CHARACTERS
  private matched = 0
  private slow = 0

  constructor(scope: Scope, slotCount: number) {
    this.scope = scope
    this.slots = slotCount === 0 ? NO_SLOTS : new Array<unknown>(slotCount)
  }

  step(count: number): void {
    this.stepsLeft -= count
    if (this.stepsLeft < 0) throw new ExpressionBudgetError(`takes more than ${EVALUATION_STEPS} steps`)
  }

  characters(count: number): void {
    this.charactersLeft -= count
    if (this.charactersLeft < 0)
      throw new ExpressionBudgetError(`handles more than ${EVALUATION_CHARACTERS} characters`)
  }

  /** Texts are equal only where their lengths are, and are then read to their end (N77). */
  comparing(left: unknown, right: unknown): void {
    if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) this.reading(left.length)
  }

  /** Reading a text, `times` slower than copying it. What is short is not counted. */
  reading(length: number, times = 1): void {
    if (length <= SHORT_TEXT_CHARACTERS) return
    if (times === 1) {
      this.characters(length)
      return
    }
    this.slow += length * times
    this.step(Math.floor((length * times) / SLOW_CHARACTERS_PER_STEP))
  }

  /** Matching of a regular expression, at its worst. */
  matching(work: number): void {
    this.matched += work
    this.step(1 + Math.floor(work / REGEX_WORK_PER_STEP))
  }

  /** What it has taken so far, beside its straight-line work; ten take about a microsecond. */
  get work(): number {
    const characters = EVALUATION_CHARACTERS - this.charactersLeft + this.slow
    return EVALUATION_STEPS - this.stepsLeft + characters / CHARACTERS_A_WORK + this.matched / MATCHING_A_WORK
  }

  /** Refuses a text before it is built. */
  room(length: number): void {
    if (length > TEXT_CHARACTERS)
      throw new ExpressionBudgetError(`makes a text of more than ${TEXT_CHARACTERS} characters`)
  }

  text(made: string): string {
    this.room(made.length)
    this.characters(made.length)
    return made
  }
}
