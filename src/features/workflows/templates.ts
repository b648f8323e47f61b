// Expressions in definitions (N31, N35): conditionals choose a path, strings in a task's config are filled in. Pure.
import { compileConditional, compileTemplate } from '../../platform/expression/compile/compile.ts'
import type { Scope } from '../../platform/expression/evaluation.ts'
import { pathScope } from '../../platform/expression/scope.ts'
import type { WorkflowPath } from './definition.ts'
import type { Budget } from './work.ts'

const REMEMBERED_MAX = 500

/** Compiled once for all events. */
function remembering<T>(compile: (source: string) => T): (source: string) => T {
  const known = new Map<string, T>()
  return source => {
    const found = known.get(source)
    if (found) return found
    const compiled = compile(source)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(source, compiled)
    return compiled
  }
}

const conditional = remembering(compileConditional)
const template = remembering(source => compileTemplate(source))

/** What expressions can see of a run. */
export function runScope(event: Record<string, unknown>, taskOutputs: Record<string, unknown>): Scope {
  const { newData = null, oldData = null, propertyDiffs = {} } = event
  return pathScope({ event, newData, oldData, propertyDiffs, taskOutputs })
}

/** The first path whose conditional holds. Throws where one cannot be evaluated. */
export function choosePath(paths: readonly WorkflowPath[], scope: Scope, budget: Budget): WorkflowPath | undefined {
  return paths.find(path => {
    if (path.conditional === undefined) return true
    budget.check()
    return Boolean(conditional(path.conditional).evaluate(scope, budget.spend))
  })
}

const SHOWN_LENGTH = 100

/** Fills in every string, however deep it stands. */
export function filled(value: unknown, scope: Scope, budget: Budget): unknown {
  if (typeof value === 'string') return filledText(value, scope, budget)
  if (Array.isArray(value)) return value.map(inner => filled(inner, scope, budget))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, scope, budget)]))
}

function filledText(source: string, scope: Scope, budget: Budget): unknown {
  budget.check()
  const { compiled, warning } = template(source)
  if (warning !== undefined) budget.warnings.push(`${source.slice(0, SHOWN_LENGTH)}: ${warning}`)
  return budget.made(compiled.evaluate(scope, budget.spend))
}
