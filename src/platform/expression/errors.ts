// The two ways an expression can fail: it cannot be taken at all (syntax), or one evaluation of it cannot finish.

export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError'
  /** Offset into the source, in UTF-16 units, from 0. */
  readonly position: number

  constructor(message: string, position: number) {
    super(`${message} (at character ${position + 1})`)
    this.position = position
  }
}

export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
}

/** The evaluation would be too large, where JavaScript itself would go on. */
export class ExpressionBudgetError extends ExpressionError {
  override readonly name = 'ExpressionBudgetError'
}
