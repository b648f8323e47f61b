// Finds files that import each other, however long the way round is.
import type { Source } from './sources.ts'

/** Of each circle all its files: those that reach each other (Tarjan's strongly connected components). */
export function circlesAmong(sources: readonly Source[]): string[] {
  const importsOf = new Map(sources.map(({ file, imports }) => [file, imports]))
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const circles: string[] = []
  /** The lowest number of the files on the stack that this one reaches. */
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    stack.push(file)
    let lowest = number
    for (const target of importsOf.get(file) ?? []) {
      if (!importsOf.has(target)) continue
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, numbers.get(target) ?? lowest)
    }
    if (lowest < number) return lowest
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1 || importsOf.get(file)?.includes(file)) circles.push(circle.sort().join(' '))
    return lowest
  }
  for (const { file } of sources) if (!numbers.has(file)) visit(file)
  return circles
}
