// The mutants of a source file: small changes of its syntax tree, each of which some test should notice.
import ts from 'typescript'
import { type Place, placeOf, type Span } from './place.ts'
import { isSql, type SqlChange, sqlChanges } from './sql-mutants.ts'
import type { Source } from './targets.ts'

export interface Mutant extends Span {
  file: string
  line: number
  replacement: string
  /** The expression or statement around it that can be had in two versions, see switched.ts. */
  place: Place
  /** What is changed into what, for people and for the list of accepted survivors. */
  change: string
  operator: string
}

const BINARY: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.EqualsEqualsToken]: '!=',
  [ts.SyntaxKind.ExclamationEqualsToken]: '==',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
  [ts.SyntaxKind.PlusEqualsToken]: '-=',
  [ts.SyntaxKind.MinusEqualsToken]: '+=',
}

/** Methods that have a nearby other one. */
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}

/** Functions of Drizzle, likewise. */
const CONDITIONS: Record<string, string> = {
  eq: 'ne',
  ne: 'eq',
  lt: 'lte',
  lte: 'lt',
  gt: 'gte',
  gte: 'gt',
  and: 'or',
  or: 'and',
  asc: 'desc',
  desc: 'asc',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
}

/** The name under which a switched source imports all of Drizzle: the other function may not be imported there. */
export const DRIZZLE = '__drizzle'

type Add = (node: ts.Node, span: Span, replacement: string, operator: string) => void

export function mutantsOf({ file, text }: Source): Mutant[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const add: Add = (node, { start, end }, replacement, operator) => {
    const line = tree.getLineAndCharacterOfPosition(start).line + 1
    const change = changeText(text, start, end, replacement)
    mutants.push({ file, line, start, end, replacement, place: placeOf(node, tree), change, operator })
  }
  const visit = (node: ts.Node): void => {
    if (isOutOfPlay(node)) return
    mutateNode(node, text, tree, add)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return mutants
}

/** Types, imports, what is logged, and what people read. */
function isOutOfPlay(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  return ts.isExpressionStatement(node) && node.expression.getText().startsWith('console.')
}

function mutateNode(node: ts.Node, text: string, tree: ts.SourceFile, add: Add): void {
  const place = (part: ts.Node) => ({ start: part.getStart(tree), end: part.getEnd() })
  if (ts.isBinaryExpression(node)) {
    const to = BINARY[node.operatorToken.kind]
    if (to !== undefined && !isText(node)) add(node, place(node.operatorToken), to, 'operator')
    if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      add(node, place(node), node.left.getText(), 'default')
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    add(node, place(node), node.operand.getText(), 'negation')
  } else if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.PlusPlusToken) add(node, place(node), `${node.operand.getText()}--`, 'step')
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    add(node, place(node), node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true', 'boolean')
  } else if (ts.isConditionalExpression(node)) {
    const [one, other] = [node.whenTrue.getText(), node.whenFalse.getText()]
    add(node, { start: node.whenTrue.getStart(tree), end: node.whenFalse.getEnd() }, `${other} : ${one}`, 'branches')
  } else if (ts.isNumericLiteral(node)) {
    add(node, place(node), String(Number(node.text.replaceAll('_', '')) + 1), 'number')
  } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
    mutateText(node, text, tree, add)
  } else if (ts.isCallExpression(node)) mutateCall(node, tree, add)
  else if (ts.isStatement(node)) mutateStatement(node, tree, add)
}

/** `+` between texts joins them. */
function isText({ left, right, operatorToken }: ts.BinaryExpression): boolean {
  const plus = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.PlusEqualsToken]
  if (!plus.includes(operatorToken.kind)) return false
  return [left, right].some(part => ts.isStringLiteralLike(part) || ts.isTemplateExpression(part))
}

function mutateText(
  node: ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression,
  text: string,
  tree: ts.SourceFile,
  add: Add,
): void {
  const isTagged = ts.isTaggedTemplateExpression(node.parent)
  const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : ''
  const whole = node.getText()
  if (/^sql\b/.test(tag) || (!isTagged && isSql(whole))) {
    const pieces = ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map(span => span.literal)] : [node]
    for (const piece of pieces) {
      const start = piece.getStart(tree)
      const changes: SqlChange[] = sqlChanges(text.slice(start, piece.getEnd()), text.slice(node.getStart(tree), start))
      for (const { at, length, to } of changes) add(node, { start: start + at, end: start + at + length }, to, 'sql')
    }
  } else if (ts.isStringLiteral(node) && isCode(node)) {
    add(node, { start: node.getStart(tree), end: node.getEnd() }, node.text === '' ? "'x'" : "''", 'text')
  }
}

/** A word that the program compares or hands on, and no sentence, key or name of a module. */
function isCode(node: ts.StringLiteral): boolean {
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return false
  // What a table is called within a statement shows nowhere.
  if (ts.isCallExpression(node.parent) && node.parent.expression.getText() === 'named') return false
  return !/\s/.test(node.text) && !ts.isLiteralTypeNode(node.parent)
}

function mutateCall(node: ts.CallExpression, tree: ts.SourceFile, add: Add): void {
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
  if (!ts.isIdentifier(callee)) return
  const place = { start: callee.getStart(tree), end: callee.getEnd() }
  const isChain = ts.isPropertyAccessExpression(node.expression)
  const table = isChain ? METHODS : CONDITIONS
  const to = Object.hasOwn(table, callee.text) ? table[callee.text] : undefined
  if (to !== undefined) add(node, place, isChain ? to : `${DRIZZLE}.${to}`, 'call')
  if (isChain && ['filter', 'toReversed', 'slice', 'trim'].includes(callee.text)) {
    add(node, { start: node.getStart(tree), end: node.getEnd() }, node.expression.expression.getText(), 'call')
  }
}

function mutateStatement(node: ts.Statement, tree: ts.SourceFile, add: Add): void {
  const place = { start: node.getStart(tree), end: node.getEnd() }
  if (ts.isExpressionStatement(node)) {
    const isSuper =
      ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword
    if (!isSuper && !isRegistration(node)) add(node, place, ';', 'statement')
  } else if (ts.isIfStatement(node) && !node.elseStatement && isExit(node.thenStatement))
    add(node, place, ';', 'early exit')
  else if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) {
    if (!ts.isCaseOrDefaultClause(node.parent)) add(node, place, ';', 'early exit')
  }
}

const isRegistration = (node: ts.ExpressionStatement) => ts.isStringLiteral(node.expression)

function isExit(node: ts.Statement): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node
  return last !== undefined && [ts.isReturnStatement, ts.isThrowStatement].some(is => is(last))
}

/** `a < b → a <= b in if («a < b») return`: what becomes what, and where on its line. */
function changeText(text: string, start: number, end: number, replacement: string): string {
  const short = (part: string) => part.replace(`${DRIZZLE}.`, '').replaceAll(/\s+/g, ' ').trim().slice(0, 80)
  const lineStart = text.lastIndexOf('\n', start) + 1
  const lineEnd = text.indexOf('\n', end)
  const [before, changed, after] = [
    text.slice(lineStart, start).trimStart(),
    text.slice(start, end),
    text.slice(end, lineEnd < 0 ? undefined : lineEnd),
  ]
  return `${short(changed)} → ${short(replacement)} in ${before}«${short(changed)}»${after}`
}
