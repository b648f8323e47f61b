// What the conditional columns of one chunk take, counted as it is done: expressions are bounded each, and here all of a row and of
// a chunk together (N60). A clock would not do: it stands still while a Worker computes.
import { ExpressionError } from '../../../platform/expression/errors.ts'
import { LOAD_CHUNK_MAX_WORK, LOAD_ROW_MAX_WORK, LOAD_TURN_WORK } from '../../../platform/limits.ts'

export class Work {
  #row = 0
  #chunk = 0
  #turn = 0

  readonly spend = (work: number): void => {
    this.#row += work
    this.#chunk += work
    this.#turn += work
  }

  /** What is no work of conditional columns, but others should not have to wait for either. */
  readonly hold = (work: number): void => {
    this.#turn += work
  }

  beginRow(): void {
    this.#row = 0
  }

  get isSpent(): boolean {
    return this.#chunk > LOAD_CHUNK_MAX_WORK
  }

  /** Before more is begun. */
  check(): void {
    if (this.isSpent) throw new ExpressionError('is not evaluated: the rows before it have used up all work')
    if (this.#row > LOAD_ROW_MAX_WORK)
      throw new ExpressionError('takes too long: fewer or simpler conditions are needed')
  }

  takeTurn(): boolean {
    if (this.#turn < LOAD_TURN_WORK) return false
    this.#turn = 0
    return true
  }
}
