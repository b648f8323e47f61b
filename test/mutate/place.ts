// Where a mutant can be switched on and off: the smallest expression around it that may be put in brackets, or its statement.
import ts from 'typescript'

export interface Span {
  start: number
  end: number
}

export interface Place extends Span {
  isStatement: boolean
}

export function placeOf(node: ts.Node, tree: ts.SourceFile): Place {
  let found = node
  for (let above = aboveIt(found); above; above = aboveIt(found)) found = above
  return { start: found.getStart(tree), end: found.getEnd(), isStatement: ts.isStatement(found) }
}

/** The node around it, where brackets around the node itself would change its meaning. */
function aboveIt(node: ts.Node): ts.Node | undefined {
  const { parent } = node
  if (ts.isStatement(node)) return undefined
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return parent
  if (ts.isTaggedTemplateExpression(parent)) return parent
  if ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node) return parent.parent
  // Brackets would end `a?.b.c` early, and `c` would be asked of undefined.
  if (ts.isOptionalChain(node) && ts.isOptionalChain(parent) && parent.expression === node) return parent
  return undefined
}
