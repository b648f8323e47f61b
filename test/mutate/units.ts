// The functions of a file, so that it can be told which tests run through which.
import ts from 'typescript'
import type { Source } from './targets.ts'

export interface Unit {
  name: string
  start: number
  end: number
  /** Where its body begins; an expression body ends at `end`. */
  body: { start: number; isBlock: boolean }
}

/** Functions that stand at the top of a file or of a class. Those within belong to them. */
export function unitsOf({ file, text }: Source): Unit[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const units: Unit[] = []
  const add = (name: string, node: ts.FunctionLikeDeclaration) => {
    if (!node.body) return
    const isBlock = ts.isBlock(node.body)
    const start = node.body.getStart(tree)
    units.push({ name, start: node.getStart(tree), end: node.getEnd(), body: { start, isBlock } })
  }
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) add(statement.name?.text ?? 'default', statement)
    else if (ts.isClassDeclaration(statement)) {
      for (const member of statement.members) {
        if (ts.isConstructorDeclaration(member)) continue
        if (ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member)) {
          add(`${statement.name?.text}.${member.name.getText()}`, member)
        }
      }
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))) {
          add(name.getText(), initializer)
        }
      }
    }
  }
  return units
}

export function unitAt(units: readonly Unit[], place: number): Unit | undefined {
  return units.find(({ start, end }) => place >= start && place < end)
}

/** The file with a note at the beginning of each of its functions, which are numbered from `first` on. */
export function instrumented(source: Source, first: number): string {
  const inserts = unitsOf(source).flatMap(({ end, body }, at) => {
    const note = `globalThis.__hits?.add(${first + at})`
    if (body.isBlock) return [{ at: body.start + 1, text: ` ${note};` }]
    return [
      { at: body.start, text: `(${note}, ` },
      { at: end, text: ')' },
    ]
  })
  let text = source.text
  for (const insert of inserts.sort((a, b) => b.at - a.at)) {
    text = text.slice(0, insert.at) + insert.text + text.slice(insert.at)
  }
  return text
}
