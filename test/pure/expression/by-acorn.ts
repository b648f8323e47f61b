// What acorn, a parser of all of JavaScript, makes of a source, in the shape of our own tree. References are `{r0}` … `{r9}` there.

import { type AnyNode, type Expression, parseExpressionAt, tokenizer, tokTypes } from 'acorn'
import { referenceAt } from '../../../src/platform/expression/references.ts'

const OPTIONS = { ecmaVersion: 2023, sourceType: 'module', preserveParens: true } as const
const REFERENCE = /\{(r\d)\}/g

/** References as names between spaces, which leaves every offset as it is. */
export function asJavaScript(text: string): string {
  return text.replace(REFERENCE, ' $1 ')
}

/** Whether `{r0}` and its like are the only references, so that every other brace means what it means in JavaScript. */
export function hasPlainBraces(source: string): boolean {
  const code = asJavaScript(source)
  return [...code.matchAll(/(?<!\$)\{/g)].every(({ index }) => referenceAt(code, index) === undefined)
}

/** Throws a SyntaxError. */
export function parsedByAcorn(source: string): Expression {
  const code = asJavaScript(source)
  const node = parseExpressionAt(code, 0, OPTIONS)
  const behind = tokenizer(code.slice(node.end), OPTIONS).getToken()
  if (behind.type !== tokTypes.eof) throw new SyntaxError('more than one expression')
  return node
}

export type Tree = { kind: string; start?: number; end?: number } & Record<string, unknown>

const UNSUPPORTED: Readonly<Record<string, string>> = {
  ImportExpression: 'import',
  MetaProperty: 'import.meta',
  SequenceExpression: 'the comma operator',
  TaggedTemplateExpression: 'a tagged template',
  ThisExpression: 'this',
  UpdateExpression: '++ or --',
}

export function treeOf(root: AnyNode, source: string): Tree {
  const references = [...source.matchAll(REFERENCE)]
  const starts = new Map(references.map(({ index }) => [index + 1, index]))
  const ends = new Map(references.map(({ index, 0: text }) => [index + text.length - 1, index + text.length]))
  return convert(root)

  function convert(node: AnyNode): Tree {
    const place = { start: starts.get(node.start) ?? node.start, end: ends.get(node.end) ?? node.end }
    return { ...partsOf(node), ...place }
  }

  function all(nodes: readonly (AnyNode | null)[]): (Tree | undefined)[] {
    return nodes.map(node => (node ? convert(node) : undefined))
  }

  function partsOf(node: AnyNode): Tree {
    switch (node.type) {
      case 'Literal':
        if (node.regex) return { kind: 'regex', pattern: node.regex.pattern, flags: node.regex.flags }
        if (typeof node.value === 'bigint') return { kind: 'unsupported', what: 'a big integer' }
        return typeof node.value === 'string'
          ? { kind: 'text', text: node.value }
          : { kind: 'literal', value: node.value }
      case 'TemplateLiteral':
        return { kind: 'template', texts: node.quasis.map(({ value }) => value.cooked), values: all(node.expressions) }
      case 'Identifier':
        return { kind: starts.has(node.start) ? 'reference' : 'name', name: node.name }
      case 'ParenthesizedExpression':
        return { kind: 'group', inner: convert(node.expression) }
      case 'UnaryExpression':
        return { kind: 'unary', operator: node.operator, operand: convert(node.argument) }
      case 'AwaitExpression':
        return { kind: 'unary', operator: 'await', operand: convert(node.argument) }
      case 'BinaryExpression':
        return { kind: 'binary', operator: node.operator, left: convert(node.left), right: convert(node.right) }
      case 'LogicalExpression':
        return { kind: 'logical', operator: node.operator, left: convert(node.left), right: convert(node.right) }
      case 'ConditionalExpression': {
        const [test, whenTrue, whenFalse] = all([node.test, node.consequent, node.alternate])
        return { kind: 'choice', test, whenTrue, whenFalse }
      }
      case 'ChainExpression':
        return { kind: 'chain', inner: convert(node.expression) }
      case 'MemberExpression': {
        const parts = { target: convert(node.object), isOptional: node.optional }
        const property = convert(node.property)
        return node.computed ? { kind: 'index', ...parts, key: property } : { kind: 'member', ...parts, property }
      }
      case 'CallExpression':
        return { kind: 'call', callee: convert(node.callee), args: all(node.arguments), isOptional: node.optional }
      case 'NewExpression':
        return { kind: 'new', callee: convert(node.callee), args: all(node.arguments) }
      case 'ArrayExpression':
      case 'ArrayPattern':
        return { kind: 'list', elements: all(node.elements) }
      case 'SpreadElement':
      case 'RestElement':
        return { kind: 'spread', value: convert(node.argument) }
      case 'ObjectExpression':
      case 'ObjectPattern':
        return { kind: 'object', entries: all(node.properties) }
      case 'Property':
        return { kind: 'entry', key: keyOf(node.key, node.computed), value: convert(node.value) }
      case 'ArrowFunctionExpression':
        if (node.async) return { kind: 'unsupported', what: 'an async function' }
        return { kind: 'arrow', parameters: all(node.params), body: convert(node.body) }
      case 'AssignmentExpression':
        return { kind: 'assignment', operator: node.operator, target: convert(node.left) }
      case 'AssignmentPattern':
        return { kind: 'assignment', operator: '=', target: convert(node.left) }
      default:
        return { kind: 'unsupported', what: UNSUPPORTED[node.type] ?? node.type }
    }
  }

  function keyOf(key: AnyNode, isComputed: boolean): Tree {
    if (isComputed) return { kind: 'computed', value: convert(key) }
    if (key.type !== 'Literal') return convert(key)
    return { ...convert(key), ...{ kind: 'name', name: String(key.value) }, text: undefined, value: undefined }
  }
}
