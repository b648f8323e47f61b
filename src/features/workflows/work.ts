// What expressions of workflows take, counted as it is done: each is bounded by itself, and here all that belong together (N60). A
// clock would not do: it stands still while a Worker computes.
import { ExpressionBudgetError } from '../../platform/expression/errors.ts'
import { isObject } from '../../platform/expression/values.ts'
import { LOAD_TURN_WORK } from '../../platform/limits.ts'
import { EXPRESSIONS_MAX_CHARACTERS, EXPRESSIONS_MAX_WORK } from './limits.ts'

/** Of one task, or of one workflow over one event. */
export class Budget {
  work = 0
  /** What is no fault, but may not be what was meant. */
  readonly warnings: string[] = []
  #characters = 0

  readonly spend = (work: number): void => {
    this.work += work
  }

  /** Before more is evaluated. */
  check(): void {
    if (this.work > EXPRESSIONS_MAX_WORK) {
      throw new ExpressionBudgetError('is not evaluated: those before it have used up all work')
    }
  }

  /** A value as JSON has it, in which a date is a text. */
  made(value: unknown): unknown {
    const text = JSON.stringify(value) ?? 'null'
    this.#characters += text.length
    if (this.#characters > EXPRESSIONS_MAX_CHARACTERS) {
      throw new ExpressionBudgetError(`makes more than ${EXPRESSIONS_MAX_CHARACTERS} characters, with those before it`)
    }
    return isObject(value) ? JSON.parse(text) : (value ?? null)
  }
}

/** Yields after some work, so that pending requests run. */
export class Turns {
  work = 0
  #sinceTurn = 0

  async took(work: number): Promise<void> {
    this.work += work
    this.#sinceTurn += work
    if (this.#sinceTurn < LOAD_TURN_WORK) return
    this.#sinceTurn = 0
    await scheduler.wait(0)
  }
}
