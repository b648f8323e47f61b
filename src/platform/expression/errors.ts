// The two ways an expression can fail: it cannot be taken at all (syntax), or one evaluation of it cannot finish.

/**
 * `unsupported`: it parses, and uses what is not there. `cut-off`: it ends within brackets. `ends`: it ends elsewhere, and more had to
 * follow. `words`: it parses, but by words that nobody knows. `broken`: it does not parse. A value of the last three kinds may well be
 * meant as text (N73).
 */
export type SyntaxFault = 'unsupported' | 'cut-off' | 'ends' | 'words' | 'broken'

export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError'
  /** Offset into the source, in UTF-16 units, from 0. */
  readonly position: number
  readonly fault: SyntaxFault

  constructor(message: string, position: number, fault: SyntaxFault = 'unsupported') {
    super(`${message} (at character ${position + 1})`)
    this.position = position
    this.fault = fault
  }
}

export function broken(reason: string, position: number): ExpressionSyntaxError {
  return new ExpressionSyntaxError(`cannot be parsed: ${reason}`, position, 'broken')
}

export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
}

/** The evaluation would be too large, where JavaScript itself would go on. */
export class ExpressionBudgetError extends ExpressionError {
  override readonly name = 'ExpressionBudgetError'
}
